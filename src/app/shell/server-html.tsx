import { createElement, type HTMLAttributes, useState } from 'react';

interface ServerHtmlProps extends HTMLAttributes<HTMLElement> {
  as: 'section' | 'header' | 'footer' | 'dialog' | 'script';
  id: string;
  html: string | undefined;
  closedby?: string;
}

/**
 * Its components stay out of the browser's scripts. Should React make the page anew, the content is put back as it
 * was.
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
