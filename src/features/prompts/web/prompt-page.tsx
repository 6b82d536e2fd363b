import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useRevalidator } from 'react-router';
import { useClipboard } from '#client/use-clipboard.ts';
import { useScrollToTop } from '#client/use-scroll-to-top.ts';
import type { PromptSample } from '#content/prompts/samples.ts';
import type { Me } from '#features/accounts/contract.ts';
import { featureTable } from '#features/credits/contract.ts';
import { useCurrentUser } from '#features/credits/web/use-current-user.ts';
import { m } from '#messages';
import { variableLabel } from '#shared/fill-prompt.ts';
import { parsePrompt, type Variable, variablesOf } from '#shared/parse-prompt.ts';
import { Button } from '#ui/button.tsx';
import { EnglishOnly } from '#ui/english-only.tsx';
import { Notice } from '#ui/notice.tsx';
import type { Prompt } from '../contract.ts';
import { LikeButton } from './like-button.tsx';
import { ModerationNotice, OwnPromptActions } from './own-prompt-actions.tsx';
import { PromptDialogs } from './prompt-dialogs.tsx';
import { PromptMeta } from './prompt-meta.tsx';
import { SampleResult } from './prompt-sample.tsx';
import { PromptText } from './prompt-text.tsx';
import { StarRating } from './star-rating.tsx';
import { UsePromptButton } from './use-prompt-button.tsx';
import { afterDeletion, type OpenPromptDialog, ownPrompts, usePromptDialogs } from './use-prompt-dialogs.ts';
import './prompts.css';

const SoughtPassage = lazy(async () => ({
  default: (await import('#client/target-passage.tsx')).TargetPassage,
}));

export interface PromptPageData {
  prompt: Prompt;
  sample: PromptSample | null;
  me: Me | null;
  isPublic: boolean;
  openFillIn: boolean;
}

const kinds = {
  text: m.prompts_blank_text,
  textarea: m.prompts_blank_textarea,
  number: m.prompts_blank_number,
};

const kindOf = ({ type, options, required }: Variable) => {
  const kind = type === 'select' ? options.join(', ') : kinds[type]();
  return required ? kind : m.prompts_blank_optional({ kind });
};

function VariableList({ content, lang }: { content: string; lang: 'en' | undefined }) {
  const variables = variablesOf(parsePrompt(content));
  if (variables.length === 0) return null;
  return (
    <section aria-labelledby="prompt-blanks">
      <h2 className="eyebrow" id="prompt-blanks">
        {m.prompts_blanks()}
      </h2>
      <dl className="mt-2">
        {variables.map((variable) => (
          <div className="py-2 border-t border-line" key={variable.name}>
            <dt className="text-sm font-semibold wrap-anywhere" lang={lang} dir="auto">
              {variableLabel(variable)}
            </dt>
            <dd className="fine wrap-anywhere">{kindOf(variable)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function CopyButton({ label, text }: { label: string; text: () => string }) {
  const { copied, copy } = useClipboard();
  return (
    <Button variant="ghost" className="js-only" onClick={() => copy(text())}>
      {copied ? m.copied() : label}
    </Button>
  );
}

interface SideProps extends Omit<PromptPageData, 'openFillIn' | 'sample'> {
  openDialog: OpenPromptDialog;
  onChanged: (prompt: Prompt | null) => void;
  onRated: () => void;
}

function Side({ prompt, me, isPublic, openDialog, onChanged, onRated }: SideProps) {
  const { content, isLocked, isCurated, isUsed, own } = prompt;
  return (
    <aside className="grid content-start gap-5 max-ml:-order-1" aria-label={m.prompts_about()}>
      <UsePromptButton prompt={prompt} openDialog={openDialog} large />
      <div className="row gap-1 -ms-2.5">
        {isPublic ? <LikeButton prompt={prompt} me={me} /> : null}
        {isLocked ? null : <CopyButton label={m.prompts_copy_raw()} text={() => content} />}
        {isPublic ? (
          <CopyButton label={m.common_copy_link()} text={() => location.origin + location.pathname} />
        ) : null}
        <OwnPromptActions prompt={prompt} openDialog={openDialog} onChanged={onChanged} />
      </div>
      {me && isPublic && isUsed && !own ? (
        <StarRating key={prompt.id} prompt={prompt} onRated={onRated} />
      ) : null}
      {isLocked ? null : <VariableList content={content} lang={isCurated ? 'en' : undefined} />}
      {isCurated || own ? null : (
        <button
          type="button"
          className="link fine prompt-report justify-self-start min-h-(--hit) text-fg-muted"
          onClick={() => openDialog({ kind: 'report', prompt })}
        >
          {m.prompts_report()}
        </button>
      )}
    </aside>
  );
}

export function PromptPage({ data }: { data: PromptPageData }) {
  const text = useRef<HTMLParagraphElement>(null);
  const { hash } = useLocation();
  const [hasTarget, setHasTarget] = useState(false);
  // The server does not receive the fragment.
  useEffect(() => setHasTarget(hash !== ''), [hash]);
  useScrollToTop();
  const { prompt, isPublic } = data;
  const lang = prompt.isCurated ? 'en' : undefined;
  const [me] = useCurrentUser(data.me);
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const [initial] = useState(() =>
    data.openFillIn ? ({ kind: prompt.isLocked ? 'unlock' : 'use', prompt } as const) : null,
  );
  const { open, openDialog, close } = usePromptDialogs(me, initial);
  const reload = () => void revalidate();
  const onChanged = (updated: Prompt | null) => {
    if (!updated) void navigate(ownPrompts, { state: afterDeletion });
    else if (updated.slug === prompt.slug) reload();
    else void navigate(`/tools/prompts/${updated.slug}`);
  };
  return (
    <main id="main" className="wrap prompt-page pt-12 pb-24 max-md:pt-8 max-md:pb-16">
      <header className="grid gap-3 pb-6 border-b border-fg [&_.notice]:justify-self-start">
        <p className="eyebrow">
          <Link
            className="inline-block py-2 -my-2 text-inherit hover:underline hover:underline-offset-[0.18em]"
            to="/tools/prompts"
          >
            {featureTable.prompts.name}
          </Link>
        </p>
        <h1 className="h1 max-w-[24ch] wrap-anywhere" lang={lang} dir="auto">
          {prompt.title}
        </h1>
        {prompt.description ? (
          <p className="lead max-w-[56ch] wrap-anywhere" lang={lang} dir="auto">
            {prompt.description}
          </p>
        ) : null}
        <PromptMeta prompt={prompt} />
        {prompt.isCurated ? <EnglishOnly /> : null}
        <ModerationNotice own={prompt.own} />
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)_17rem] gap-y-8 gap-x-16 pt-8 max-ml:grid-cols-1">
        <section aria-label={prompt.isLocked ? m.prompts_opening() : m.prompts_text()}>
          <p
            className="prompt-text prompt-whole whitespace-pre-wrap wrap-anywhere text-md/[1.7rem] max-w-(--measure) [&[data-locked=true]]:after:content-['_…']"
            data-locked={prompt.isLocked}
            ref={text}
            lang={lang}
            dir="auto"
          >
            <PromptText content={prompt.content} />
          </p>
          {hasTarget ? (
            <Suspense>
              <SoughtPassage box={text} />
            </Suspense>
          ) : null}
          {prompt.isLocked ? (
            <Notice kind="info" className="max-w-(--measure) mt-4">
              {m.prompts_opening_note()}
            </Notice>
          ) : null}
          {data.sample ? <SampleResult sample={data.sample} /> : null}
        </section>
        <Side
          prompt={prompt}
          me={me}
          isPublic={isPublic}
          openDialog={openDialog}
          onChanged={onChanged}
          onRated={reload}
        />
      </div>
      <PromptDialogs open={open} me={me} onSaved={onChanged} onUsed={reload} onClose={close} />
    </main>
  );
}
