import { createElement, type HTMLAttributes, useState } from 'react';

interface ServerHtmlProps extends HTMLAttributes<HTMLElement> {
  as: 'section' | 'header' | 'footer' | 'dialog' | 'script';
  id: string;
  html: string | undefined;
  closedby?: string;
}

/**
 * Shows HTML rendered on the server, so that its components are not sent to the browser. If React recreates the page,
 * the content is taken from the existing element.
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
