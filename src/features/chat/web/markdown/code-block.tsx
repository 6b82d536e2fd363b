import { memo, type ReactNode } from 'react';
import { useCopied } from '../use-copied.ts';
import { languageOf } from './languages.ts';
import { useHighlighted } from './use-highlighted.tsx';

const lineNumbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1).join('\n');

interface CodeProps {
  code: string;
  /** The info string after the opening fence. */
  info: string;
  /** The closing fence has come: only then is the code coloured. */
  closed: boolean;
}

/** A block of code with its language, a Copy button, and line numbers when it has more than 3 lines. */
export const CodeBlock = memo(function CodeBlock({ code, info, closed }: CodeProps): ReactNode {
  const language = languageOf(info);
  const { box, coloured } = useHighlighted(code, language.grammar, closed);
  const { copied, copy } = useCopied();
  const lines = code.split('\n').length;
  return (
    <div className="md-code">
      <div className="md-code-head">
        <span>{language.label}</span>
        <button type="button" onClick={() => copy(code)}>
          {copied ? 'Copied' : 'Copy'}
          <span className="visually-hidden"> code</span>
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre ref={box} tabIndex={0}>
        {lines > 3 ? (
          <span className="md-lines" aria-hidden="true">
            {lineNumbers(lines)}
          </span>
        ) : null}
        <code>{coloured ?? code}</code>
      </pre>
    </div>
  );
});
