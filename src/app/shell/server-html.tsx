import { createElement, type HTMLAttributes, useState } from 'react';

interface ServerHtmlProps extends HTMLAttributes<HTMLElement> {
  as: 'section' | 'header' | 'footer' | 'dialog';
  id: string;
  /** The content, known to the server alone. */
  html: string | undefined;
  closedby?: string;
}

/**
 * An element of every page whose content is the server's: its components stay out of the browser's scripts, and
 * hydration takes it as it finds it. Should React have to make the page anew, it is put back as it was.
 */
export function ServerHtml({ as, id, html, ...rest }: ServerHtmlProps) {
  const [content] = useState(() => html ?? document.getElementById(id)?.innerHTML ?? '');
  return createElement(as, {
    id,
    ...rest,
    dangerouslySetInnerHTML: { __html: content },
    suppressHydrationWarning: true,
  });
}
