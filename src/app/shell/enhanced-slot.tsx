import { createElement, type HTMLAttributes } from 'react';

interface EnhancedSlotProps extends HTMLAttributes<HTMLElement> {
  as?: 'span' | 'p' | 'section';
  text?: string;
  [data: `data-${string}`]: string;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Hydration takes its content as it finds it, where React's own children would have to be equal on both sides. */
export function EnhancedSlot({ as = 'span', text = '', ...rest }: EnhancedSlotProps) {
  const html = text.replace(/[&<>]/g, (character) => escapes[character] ?? '');
  return createElement(as, {
    ...rest,
    dangerouslySetInnerHTML: { __html: html },
    suppressHydrationWarning: true,
  });
}
