import { useState } from 'react';
import { Link, useNavigate, useRevalidator } from 'react-router';
import { useCopied } from '../../../../client/use-copied.ts';
import { labelOf } from '../../../../shared/prompt-variables/fill.ts';
import { parsePrompt, type Variable, variablesOf } from '../../../../shared/prompt-variables/parse.ts';
import type { Me } from '../../../accounts/contract.ts';
import { usePerson } from '../../../credits/web/use-person.ts';
import type { Prompt } from '../../contract.ts';
import { Dialogs } from '../dialogs.tsx';
import { Facts } from '../facts.tsx';
import { LikeButton } from '../like-button.tsx';
import { Decision, OwnActions } from '../own/own-actions.tsx';
import { PromptText } from '../prompt-text.tsx';
import { Rating } from '../rating.tsx';
import { UseButton } from '../use-button.tsx';
import { type Ask, afterDeletion, ownPrompts, useWishes } from '../wishes.ts';
import '../prompts.css';

export interface PromptPageData {
  prompt: Prompt;
  me: Me | null;
  /** Others can see it too. */
  isPublic: boolean;
  /** The visitor has come to use it. */
  wantsUse: boolean;
}

const kindOf = ({ type, options, required }: Variable) => {
  const kind =
    type === 'select' ? options.join(', ') : { text: 'a line', textarea: 'a text', number: 'a number' }[type];
  return required ? kind : `${kind}, optional`;
};

/** What the prompt asks for, so that one knows before one begins. */
function Blanks({ content }: { content: string }) {
  const variables = variablesOf(parsePrompt(content));
  if (variables.length === 0) return null;
  return (
    <section aria-labelledby="prompt-blanks">
      <h2 className="eyebrow" id="prompt-blanks">
        You fill in
      </h2>
      <dl className="prompt-blanks">
        {variables.map((variable) => (
          <div key={variable.name}>
            <dt dir="auto">{labelOf(variable)}</dt>
            <dd className="fine">{kindOf(variable)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function CopyButton({ label, text }: { label: string; text: () => string }) {
  const { copied, copy } = useCopied();
  return (
    <button type="button" className="btn btn-ghost js-only" onClick={() => copy(text())}>
      {copied ? 'Copied' : label}
    </button>
  );
}

interface SideProps extends Omit<PromptPageData, 'wantsUse'> {
  ask: Ask;
  onChanged: (prompt: Prompt | null) => void;
  onRated: () => void;
}

function Side({ prompt, me, isPublic, ask, onChanged, onRated }: SideProps) {
  const { content, isLocked, isCurated, isUsed, own } = prompt;
  return (
    <aside className="prompt-side" aria-label="About this prompt">
      <UseButton prompt={prompt} ask={ask} large />
      <div className="row prompt-side-row">
        {isPublic ? <LikeButton prompt={prompt} me={me} /> : null}
        {isLocked ? null : <CopyButton label="Copy raw" text={() => content} />}
        {isPublic ? <CopyButton label="Copy link" text={() => location.origin + location.pathname} /> : null}
        <OwnActions prompt={prompt} ask={ask} onChanged={onChanged} />
      </div>
      {me && isPublic && isUsed && !own ? <Rating key={prompt.id} prompt={prompt} onRated={onRated} /> : null}
      {isLocked ? null : <Blanks content={content} />}
      {isCurated || own ? null : (
        <button
          type="button"
          className="link fine prompt-report"
          onClick={() => ask({ kind: 'report', prompt })}
        >
          Report this prompt
        </button>
      )}
    </aside>
  );
}

/** One prompt: its text, what it asks for, and what one can do with it. */
export function PromptPage({ data }: { data: PromptPageData }) {
  const { prompt, isPublic } = data;
  const [me] = usePerson(data.me);
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const [first] = useState(() =>
    data.wantsUse ? ({ kind: prompt.isLocked ? 'unlock' : 'use', prompt } as const) : null,
  );
  const { open, ask, close } = useWishes(me, first);
  const reload = () => void revalidate();
  const changed = (now: Prompt | null) => {
    if (!now) void navigate(ownPrompts, { state: afterDeletion });
    else if (now.slug === prompt.slug) reload();
    else void navigate(`/tools/prompts/${now.slug}`);
  };
  return (
    <main id="main" className="wrap prompt-page">
      <header className="prompt-page-head">
        <p className="eyebrow">
          <Link to="/tools/prompts">Prompt Lab</Link>
        </p>
        <h1 className="h1" dir="auto">
          {prompt.title}
        </h1>
        {prompt.description ? (
          <p className="lead" dir="auto">
            {prompt.description}
          </p>
        ) : null}
        <Facts prompt={prompt} />
        <Decision own={prompt.own} />
      </header>
      <div className="prompt-columns">
        <section aria-label={prompt.isLocked ? 'First lines of the prompt' : 'Text of the prompt'}>
          <p className="prompt-text prompt-whole" data-locked={prompt.isLocked} dir="auto">
            <PromptText content={prompt.content} />
          </p>
          {prompt.isLocked ? (
            <p className="notice notice-info prompt-locked">
              These are the first lines. The whole prompt is part of Pro.
            </p>
          ) : null}
        </section>
        <Side prompt={prompt} me={me} isPublic={isPublic} ask={ask} onChanged={changed} onRated={reload} />
      </div>
      <Dialogs open={open} me={me} onSaved={changed} onUsed={reload} onClose={close} />
    </main>
  );
}
