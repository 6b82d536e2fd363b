import { cloneElement, isValidElement, type ReactElement, type ReactNode } from 'react';

type Span = ReactElement<{ children?: ReactNode }>;

/** A coloured span that goes over a line end is there again in the next line. */
function cut(content: ReactNode): ReactNode[][] {
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
      add(cut((node as Span).props.children).map((inner) => cloneElement(node as Span, {}, ...inner)));
  }
  return lines;
}

export function linesOf(content: ReactNode): ReactNode {
  return cut(content).map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
    <span key={at} className="md-line">
      {line.every((part) => part === '') ? <br /> : line}
    </span>
  ));
}
