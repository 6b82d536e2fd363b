import { Check, Copy, Download, Eye, WrapText } from 'lucide-react';
import {
  type CSSProperties,
  cloneElement,
  isValidElement,
  memo,
  type ReactElement,
  type ReactNode,
  type RefObject,
  startTransition,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useClipboard } from '#client/use-clipboard.ts';
import { m } from '#messages';
import { languageOf, type PreviewKind, previewKind } from './code-languages.ts';
import type { CodeProps } from './markdown-parts.ts';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

const lineNumbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1).join('\n');

async function saveCode(code: string, info: string): Promise<void> {
  const [{ saveBlob }, { codeFileName }] = await Promise.all([
    import('#client/download.ts'),
    import('./code-file-name.ts'),
  ]);
  saveBlob(new Blob([`${code}\n`], { type: 'text/plain' }), codeFileName(info));
}

const openPreview = async (preview: { kind: PreviewKind; code: string }) =>
  (await import('./code-preview.tsx')).previewCode(preview);

export const CodeBlock = memo(function CodeBlock({ code, info, closed }: CodeProps): ReactNode {
  const language = languageOf(info);
  const { box, highlighted } = useHighlighted(code, language.grammar, closed);
  const { copied, copy } = useClipboard();
  const [wraps, setWraps] = useState(false);
  const kind = closed ? previewKind(info, code) : null;
  const lines = code.split('\n').length;
  const content = highlighted ?? code;
  const numbered = lines > 3;
  // Set only after a click, because the Content-Security-Policy forbids inline styles in the server's markup.
  const digits = wraps ? ({ '--digits': String(lines).length } as CSSProperties) : undefined;
  return (
    <div className="md-code" data-wraps={wraps ? '' : undefined}>
      <div className="md-code-head">
        <span>{language.label}</span>
        {kind === null ? null : (
          <button type="button" onClick={() => void openPreview({ kind, code })}>
            <Eye {...icon} />
            {m.code_preview()}
          </button>
        )}
        <button type="button" aria-pressed={wraps} onClick={() => setWraps(!wraps)}>
          <WrapText {...icon} />
          <span className="max-sm:sr-only">{m.code_wrap()}</span>
        </button>
        <button
          type="button"
          aria-label={m.code_download()}
          title={m.code_download()}
          onClick={() => void saveCode(code, info)}
        >
          <Download {...icon} />
        </button>
        <button type="button" onClick={() => copy(code)}>
          {copied ? <Check {...icon} /> : <Copy {...icon} />}
          {copied ? m.copied() : m.code_copy()}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard */}
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

export interface HastNode {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: HastNode[];
}

/** Characters; highlighting a larger block would freeze the page. */
export const largestBlock = 20_000;

export function spans(nodes: HastNode[]): ReactNode[] {
  return nodes.map((node, at) => {
    if (node.type === 'text') return node.value ?? '';
    const names = node.properties?.className;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: spans have no other key
      <span key={at} className={Array.isArray(names) ? names.join(' ') : undefined}>
        {spans(node.children ?? [])}
      </span>
    );
  });
}

function useHighlighted(
  code: string,
  grammar: string | null,
  closed: boolean,
): { box: RefObject<HTMLPreElement | null>; highlighted: ReactNode[] | null } {
  const box = useRef<HTMLPreElement>(null);
  const [result, setResult] = useState<{ code: string; grammar: string; nodes: ReactNode[] } | null>(null);
  useEffect(() => {
    if (!closed || grammar === null || code.length > largestBlock || !box.current) return;
    let current = true;
    const observer = new IntersectionObserver(
      async (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        const { highlight } = await import('./code-grammars.ts');
        if (!current) return;
        const nodes = spans(highlight(grammar, code).children as HastNode[]);
        startTransition(() => setResult({ code, grammar, nodes }));
      },
      { rootMargin: '400px' },
    );
    observer.observe(box.current);
    return () => {
      current = false;
      observer.disconnect();
    };
  }, [code, grammar, closed]);
  const isCurrent = result !== null && result.code === code && result.grammar === grammar;
  return { box, highlighted: isCurrent ? result.nodes : null };
}

type Span = ReactElement<{ children?: ReactNode }>;

/** Splits into lines; a highlighted span that crosses a line break is repeated in the next line. */
function splitLines(content: ReactNode): ReactNode[][] {
  const lines: ReactNode[][] = [[]];
  const add = (parts: ReactNode[]) => {
    for (const [at, part] of parts.entries()) {
      if (at > 0) lines.push([]);
      lines.at(-1)!.push(part);
    }
  };
  for (const node of Array.isArray(content) ? (content as ReactNode[]) : [content]) {
    if (typeof node === 'string') add(node.split('\n'));
    else if (isValidElement(node))
      add(splitLines((node as Span).props.children).map((inner) => cloneElement(node as Span, {}, ...inner)));
  }
  return lines;
}

function linesOf(content: ReactNode): ReactNode {
  return splitLines(content).map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other key
    <span key={at} className="md-line">
      {line.every((part) => part === '') ? <br /> : line}
    </span>
  ));
}
