import { type ReactNode, type RefObject, startTransition, useEffect, useRef, useState } from 'react';

interface Node {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: Node[];
}

/** Characters; colouring a larger block would hold the page. */
const largestBlock = 20_000;

function spans(nodes: Node[]): ReactNode[] {
  return nodes.map((node, at) => {
    if (node.type === 'text') return node.value ?? '';
    const names = node.properties?.className;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity but their place
      <span key={at} className={Array.isArray(names) ? names.join(' ') : undefined}>
        {spans(node.children ?? [])}
      </span>
    );
  });
}

export function useHighlighted(
  code: string,
  grammar: string | null,
  closed: boolean,
): { box: RefObject<HTMLPreElement | null>; coloured: ReactNode[] | null } {
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
        const nodes = spans(highlight(grammar, code).children as Node[]);
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
  const fits = result !== null && result.code === code && result.grammar === grammar;
  return { box, coloured: fits ? result.nodes : null };
}
