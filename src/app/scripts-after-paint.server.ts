const PRELOADS = /<link rel="modulepreload"[^>]*>/g;
/** The first script that React Router's `Scripts` component writes. */
const START = /(<script nonce="[^"]*" type="module" async="">)(.*?)<\/script>/s;

const quoted = (text: string) => JSON.stringify(text).replaceAll('<', String.raw`\u003c`);

/**
 * Delays fetching a page's scripts until its first contentful paint, so that they don't compete with style sheets and
 * fonts. `first-paint` would be too early: slow machines paint the empty background first.
 */
export function scriptsAfterPaint(html: string, nonce: string): string {
  const links = html.match(PRELOADS)?.join('') ?? '';
  const start = (code: string) => `const start = () => {
  document.head.insertAdjacentHTML('beforeend', ${quoted(links)});
  const script = document.createElement('script');
  script.type = 'module';
  script.nonce = ${quoted(nonce)};
  script.textContent = ${quoted(code)};
  document.head.append(script);
};
const onPaint = new PerformanceObserver((list) => {
  if (list.getEntriesByName('first-contentful-paint').length === 0) return;
  onPaint.disconnect();
  start();
});
if (document.hidden) start();
else onPaint.observe({ type: 'paint', buffered: true });`;
  return html
    .replace(PRELOADS, '')
    .replace(START, (_, tag: string, code: string) => `${tag}${start(code)}</script>`);
}
