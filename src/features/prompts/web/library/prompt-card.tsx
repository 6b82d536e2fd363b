import type { Me } from '../../../accounts/contract.ts';
import type { Prompt } from '../../contract.ts';
import { Facts } from '../facts.tsx';
import { LikeButton } from '../like-button.tsx';
import { Decision, OwnActions } from '../own/own-actions.tsx';
import { PromptText } from '../prompt-text.tsx';
import { UseButton } from '../use-button.tsx';
import type { Ask } from '../wishes.ts';

interface PromptCardProps {
  prompt: Prompt;
  me: Me | null;
  ask: Ask;
  onChanged: (prompt: Prompt | null) => void;
}

/** Characters that three lines can show. */
const most = 420;

/** A prompt in the library: a press anywhere but on its buttons opens its page. */
export function PromptCard({ prompt, me, ask, onChanged }: PromptCardProps) {
  const { id, slug, title, description, content, own } = prompt;
  const isOut = own === null || own.state === 'approved';
  return (
    <li className="prompt-card" id={`prompt-${id}`}>
      <div className="prompt-about">
        <h2 className="prompt-title">
          <a href={`/tools/prompts/${slug}`} dir="auto">
            {title}
          </a>
        </h2>
        {description ? (
          <p className="muted text-sm" dir="auto">
            {description}
          </p>
        ) : null}
        <Facts prompt={prompt} />
      </div>
      <div className="prompt-lines-box">
        <p className="prompt-lines" dir="auto">
          <PromptText content={content.slice(0, most).toWellFormed()} />
        </p>
        {prompt.isLocked ? <p className="fine">The rest is part of Pro.</p> : null}
        <Decision own={own} />
      </div>
      <div className="prompt-actions">
        <UseButton prompt={prompt} ask={ask} />
        {isOut ? <LikeButton prompt={prompt} me={me} /> : null}
        <OwnActions prompt={prompt} ask={ask} onChanged={onChanged} />
      </div>
    </li>
  );
}
