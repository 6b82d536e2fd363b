import { createElement, type HTMLAttributes } from 'react';

interface EnhancedSlotProps extends HTMLAttributes<HTMLElement> {
  as?: 'span' | 'p' | 'section';
  text?: string;
  [data: `data-${string}`]: string;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** An element that the enhancement module fills. Hydration keeps its content, even if it differs from the server's. */
export function EnhancedSlot({ as = 'span', text = '', ...rest }: EnhancedSlotProps) {
  const html = text.replace(/[&<>]/g, (character) => escapes[character] ?? '');
  return createElement(as, {
    ...rest,
    dangerouslySetInnerHTML: { __html: html },
    suppressHydrationWarning: true,
  });
}
