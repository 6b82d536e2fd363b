import { Lock } from 'lucide-react';
import type { Prompt } from '../contract.ts';
import { type Ask, addressToUse } from './wishes.ts';

/** Use Prompt, or Unlock where it is part of Pro and the visitor is not; without scripts it leads to the prompt's page. */
export function UseButton({ prompt, ask, large = false }: { prompt: Prompt; ask: Ask; large?: boolean }) {
  const kind = prompt.isLocked ? 'unlock' : 'use';
  const look = large && !prompt.isLocked ? 'btn-primary' : 'btn-secondary';
  return (
    <a
      className={`btn ${look} ${large ? 'btn-lg' : ''}`.trim()}
      href={addressToUse(prompt)}
      rel="nofollow"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        ask({ kind, prompt });
      }}
    >
      {prompt.isLocked ? <Lock size={16} strokeWidth={1.75} aria-hidden="true" /> : null}
      {prompt.isLocked ? 'Unlock' : 'Use Prompt'}
      <span className="visually-hidden">: {prompt.title}</span>
    </a>
  );
}
