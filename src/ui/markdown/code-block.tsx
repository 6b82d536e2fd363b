import { Check, Copy, WrapText } from 'lucide-react';
import { type CSSProperties, memo, type ReactNode, useState } from 'react';
import { useClipboard } from '#client/use-clipboard.ts';
import { m } from '#messages';
import { languageOf } from './code-languages.ts';
import { linesOf } from './code-lines.tsx';
import { useHighlighted } from './use-highlighted-code.tsx';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

const lineNumbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1).join('\n');

interface CodeProps {
  code: string;
  info: string;
  /** The closing fence has come: only then is the code coloured. */
  closed: boolean;
}

export const CodeBlock = memo(function CodeBlock({ code, info, closed }: CodeProps): ReactNode {
  const language = languageOf(info);
  const { box, coloured } = useHighlighted(code, language.grammar, closed);
  const { copied, copy } = useClipboard();
  const [wraps, setWraps] = useState(false);
  const lines = code.split('\n').length;
  const content = coloured ?? code;
  const numbered = lines > 3;
  // Given only after a click: an inline style in the server's markup would be refused.
  const digits = wraps ? ({ '--digits': String(lines).length } as CSSProperties) : undefined;
  return (
    <div className="md-code" data-wraps={wraps ? '' : undefined}>
      <div className="md-code-head">
        <span>{language.label}</span>
        <button type="button" aria-pressed={wraps} onClick={() => setWraps(!wraps)}>
          <WrapText {...icon} />
          {m.code_wrap()}
        </button>
        <button type="button" onClick={() => copy(code)}>
          {copied ? <Check {...icon} /> : <Copy {...icon} />}
          {copied ? m.copied() : m.code_copy()}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre ref={box} tabIndex={0} data-numbered={numbered && wraps ? '' : undefined} style={digits}>
        {numbered && !wraps ? (
          <span className="md-lines" aria-hidden="true">
            {lineNumbers(lines)}
          </span>
        ) : null}
        <code>{wraps ? linesOf(content) : content}</code>
      </pre>
    </div>
  );
});
