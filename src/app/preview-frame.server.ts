import { Hono } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { previewPolicy } from '#platform/http/security-headers.server.ts';
import { previewFramePath } from '#shared/preview-frame.ts';

/*
 * Elements that a content security policy does not fully block: link hints (`preconnect`, `dns-prefetch`) open
 * connections, and frames have their own documents. The rest can only change how the preview looks; scripts don't run.
 */
const removed =
  'script,link,meta,base,iframe,frame,frameset,object,embed,fencedframe,portal,applet,[attributeName$="href" i]';

const baseStyle =
  'html{background:#fff;color:#000;color-scheme:light}body:has(>svg:only-child){margin:0;min-height:100vh;display:grid;place-items:center}body>svg:only-child{max-width:100%;height:auto}';

/** Accepts a single message, and only from the page that embeds the frame. */
const script = `
const { nonce } = document.currentScript;
async function draw(code, library) {
  const program = document.createElement('script');
  program.nonce = nonce;
  program.textContent = library;
  document.head.append(program);
  mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', suppressErrorRendering: true });
  return (await mermaid.render('diagram', code)).svg;
}
function show(markup) {
  const page = new DOMParser().parseFromString(markup, 'text/html');
  for (const element of page.querySelectorAll(${JSON.stringify(removed)})) element.remove();
  for (const link of page.querySelectorAll('a,area'))
    for (const name of ['href', 'xlink:href', 'ping'])
      if (!/^#/.test(link.getAttribute(name) ?? '#')) link.removeAttribute(name);
  const style = page.createElement('style');
  style.textContent = ${JSON.stringify(baseStyle)};
  page.head.prepend(style);
  document.replaceChild(document.adoptNode(page.documentElement), document.documentElement);
}
function explain(problem) {
  const paragraph = document.createElement('p');
  paragraph.textContent = problem;
  document.body.replaceChildren(paragraph);
}
addEventListener('message', async function hear({ source, origin, data }) {
  if (parent === window || source !== parent || origin !== location.origin || !data?.kind) return;
  removeEventListener('message', hear);
  const { kind, code, library, problem } = data;
  await (kind === 'mermaid' ? draw(code, library) : Promise.resolve(code)).then(show).catch(() => explain(problem));
});
`;

export function previewFrameApi(): Hono<AppEnv> {
  return new Hono<AppEnv>().get(previewFramePath, (c) => {
    const { nonce } = c.var;
    return c.html(
      `<!doctype html><html><head><meta charset="utf-8"><title></title><script nonce="${nonce}">${script}</script></head><body></body></html>`,
      200,
      {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': previewPolicy(nonce),
        'x-frame-options': 'SAMEORIGIN',
        'referrer-policy': 'no-referrer',
        'x-dns-prefetch-control': 'off',
        // Forbids all connections: a draft (wicg.github.io/connection-allowlists), supported by Chrome from 152.
        'connection-allowlist': '()',
        'x-robots-tag': 'noindex',
      },
    );
  });
}
