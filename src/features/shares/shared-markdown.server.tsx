import { createContext, useContext, useId } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { m } from '#messages';
import { type HastNode, spans } from '#ui/markdown/code-block.tsx';
import { highlight } from '#ui/markdown/code-grammars.ts';
import { languageOf } from '#ui/markdown/code-languages.ts';
import { inspectLink } from '#ui/markdown/link-inspection.ts';
import { linkWarnings } from '#ui/markdown/link-warnings.ts';
import { Markdown } from '#ui/markdown/markdown.tsx';
import { type CodeProps, type LinkProps, MarkdownParts, SourcesOfText } from '#ui/markdown/markdown-parts.ts';
import { SourceList } from '#ui/markdown/source-list.tsx';
import type { RenderedMessage, SharedMessage, SharedSource } from './contract.ts';

/** Maximum characters of highlighted code, per block and per page. */
const highlightLimits = { block: 5_000, page: 50_000 };

const externalLink = { target: '_blank', rel: 'nofollow ugc noopener noreferrer' };

/** Like ExternalLink, without a script: a link that could deceive opens a native popover, which shows the address. */
function Link({ href: address, text, children }: LinkProps) {
  const id = useId();
  const link = inspectLink(address, text);
  if (link === null) return <>{children}</>;
  const { href, showsAddress, warnings } = link;
  const host = showsAddress || text === null ? undefined : link.host;
  if (warnings.length === 0)
    return (
      <a href={href} {...externalLink} data-bare={showsAddress ? '' : undefined} data-host={host}>
        {children}
      </a>
    );
  return (
    <>
      <button type="button" className="md-ask" title={href} data-host={host} popoverTarget={id}>
        {children}
      </button>
      <span
        id={id}
        popover="auto"
        role="dialog"
        aria-label={m.link_question()}
        className="m-auto max-w-md rounded-lg border border-line bg-surface p-4 text-fg wrap-anywhere"
      >
        <b className="block">{m.link_question()}</b>
        {warnings.map((doubt) => (
          <span key={doubt} className="block pt-2">
            {linkWarnings[doubt]({ host: link.host })}
          </span>
        ))}
        <code className="my-3 block max-h-48 overflow-auto">{href}</code>
        <a href={href} {...externalLink}>
          {m.common_open()}
        </a>
      </span>
    </>
  );
}

const Budget = createContext({ remaining: 0 });

function Code({ code, info }: CodeProps) {
  const budget = useContext(Budget);
  const { grammar, label } = languageOf(info);
  const isHighlighted = grammar !== null && code.length <= Math.min(highlightLimits.block, budget.remaining);
  if (isHighlighted) budget.remaining -= code.length;
  return (
    <div className="md-code">
      <div className="md-code-head">
        <span>{label}</span>
        <button
          type="button"
          className="js-only print:hidden"
          data-copy-block=""
          aria-label={m.blog_copy_code({ language: label })}
        >
          <span data-copy-label="" aria-live="polite">
            {m.common_copy()}
          </span>
        </button>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: it contains no form fields */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard */}
      <pre data-copy-source="" tabIndex={0} role="group" aria-label={label}>
        <code>{isHighlighted ? spans(highlight(grammar, code).children as HastNode[]) : code}</code>
      </pre>
    </div>
  );
}

const parts = { Code, Link };

/** For one page: how much of its code may still be highlighted. */
export const newBudget = () => ({ remaining: highlightLimits.page });

interface MarkdownOptions {
  budget: ReturnType<typeof newBudget>;
  /** Position of the text on its page; ids start with it. */
  at: number;
  sources?: readonly SharedSource[];
}

/** Renders without scripts, and without markup from the text. */
export function markdownHtml(text: string, { budget, at, sources = [] }: MarkdownOptions): string {
  const idOf = (number: number) => `source-${at}-${number}`;
  const marks = sources.length === 0 ? null : { urls: sources.map(({ url }) => url), idOf };
  const element = (
    <MarkdownParts value={parts}>
      <Budget value={budget}>
        <SourcesOfText value={marks}>
          <Markdown text={text} />
          {marks ? <SourceList sources={sources} idOf={idOf} /> : null}
        </SourcesOfText>
      </Budget>
    </MarkdownParts>
  );
  return renderToStaticMarkup(element, { identifierPrefix: `reply-${at}-` });
}

export async function renderMessages(messages: readonly SharedMessage[]): Promise<RenderedMessage[]> {
  const budget = newBudget();
  const rendered: RenderedMessage[] = [];
  for (const [at, { role, text, files, images = 0, sources = [], partial = false }] of messages.entries()) {
    const content = role === 'user' ? text : markdownHtml(text, { budget, at, sources });
    rendered.push({ role, files, images, content, partial });
    // Lets other requests run between two messages.
    await new Promise(setImmediate);
  }
  return rendered;
}
