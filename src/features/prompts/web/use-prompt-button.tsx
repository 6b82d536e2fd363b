import { Lock } from 'lucide-react';
import type { MouseEvent } from 'react';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import type { Prompt } from '../contract.ts';
import { fillInPath, type OpenPromptDialog } from './use-prompt-dialogs.ts';

/** Without scripts, it is a link to the prompt's page. */
export function UsePromptButton({
  prompt,
  openDialog,
  large = false,
}: {
  prompt: Prompt;
  openDialog: OpenPromptDialog;
  large?: boolean;
}) {
  const kind = prompt.isLocked ? 'unlock' : 'use';
  return (
    <Button
      variant={large && !prompt.isLocked ? 'primary' : 'secondary'}
      size={large ? 'lg' : 'md'}
      href={fillInPath(prompt)}
      rel="nofollow"
      onClick={(event: MouseEvent) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        openDialog({ kind, prompt });
      }}
    >
      {prompt.isLocked ? <Lock size={16} strokeWidth={1.75} aria-hidden="true" /> : null}
      {prompt.isLocked ? m.prompts_unlock() : m.prompts_use()}
      <span className="visually-hidden">
        : <bdi lang={prompt.isCurated ? 'en' : undefined}>{prompt.title}</bdi>
      </span>
    </Button>
  );
}
