import type { PromptSample } from '#content/prompts/samples.ts';
import type { Me } from '#features/accounts/contract.ts';
import { m } from '#messages';
import { cutText } from '#shared/clean-text.ts';
import type { Prompt } from '../../contract.ts';
import { LikeButton } from '../like-button.tsx';
import { ModerationNotice, OwnPromptActions } from '../own-prompt-actions.tsx';
import { PromptMeta } from '../prompt-meta.tsx';
import { SampleLines } from '../prompt-sample.tsx';
import { PromptText } from '../prompt-text.tsx';
import { UsePromptButton } from '../use-prompt-button.tsx';
import type { OpenPromptDialog } from '../use-prompt-dialogs.ts';

interface PromptCardProps {
  prompt: Prompt;
  sample: PromptSample | undefined;
  me: Me | null;
  openDialog: OpenPromptDialog;
  onChanged: (prompt: Prompt | null) => void;
}

/** Characters that fit on three lines. */
const EXCERPT_LENGTH = 420;

export function PromptCard({ prompt, sample, me, openDialog, onChanged }: PromptCardProps) {
  const { id, slug, title, description, content, own } = prompt;
  const lang = prompt.isCurated ? 'en' : undefined;
  const isPublic = own === null || own.state === 'approved';
  return (
    <li
      className="prompt-card relative grid grid-cols-[minmax(0,15fr)_minmax(0,22fr)_9.5rem] gap-y-3 gap-x-10 py-6 border-t border-line max-ml:grid-cols-1"
      id={`prompt-${id}`}
    >
      <div className="grid content-start gap-2">
        <h2 className="text-xl font-semibold tracking-[-0.015em] wrap-anywhere">
          <a
            className="after:content-[''] after:absolute after:inset-0 hover:underline hover:decoration-2 hover:[text-decoration-color:var(--border-strong)] hover:underline-offset-[0.18em] focus-visible:[outline:none] focus-visible:after:[outline:2px_solid_var(--ring)] focus-visible:after:[outline-offset:2px] focus-visible:after:rounded-sm"
            href={`/tools/prompts/${slug}`}
            lang={lang}
            dir="auto"
          >
            {title}
          </a>
        </h2>
        {description ? (
          <p className="muted text-sm" lang={lang} dir="auto">
            {description}
          </p>
        ) : null}
        <PromptMeta prompt={prompt} />
      </div>
      <div className="grid content-start gap-2">
        {sample ? (
          <SampleLines sample={sample} />
        ) : (
          <p className="prompt-lines line-clamp-3 text-sm/6 wrap-anywhere" lang={lang} dir="auto">
            <PromptText content={cutText(content, EXCERPT_LENGTH)} />
          </p>
        )}
        {prompt.isLocked ? <p className="fine">{m.prompts_rest_pro()}</p> : null}
        <ModerationNotice own={own} />
      </div>
      <div className="relative flex flex-col items-stretch self-start gap-1 max-ml:[flex-flow:row_wrap]">
        <UsePromptButton prompt={prompt} openDialog={openDialog} />
        {isPublic ? <LikeButton prompt={prompt} me={me} /> : null}
        <OwnPromptActions prompt={prompt} openDialog={openDialog} onChanged={onChanged} />
      </div>
    </li>
  );
}
