import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { raw, html as template } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { send } from './http.ts';
import type { StandIn } from './standin.ts';

export type Html = HtmlEscapedString;

/** Builds HTML and escapes its values, except HTML made by the same tag. */
export const html = (strings: TemplateStringsArray, ...values: unknown[]): Html =>
  template(strings, ...values) as Html;

export interface Page {
  title: string;
  body: Html;
  script?: string;
  status?: number;
  /**
   * Origins that forms may be sent to besides this server; without it the page has no forms. Browsers also check the
   * redirects of a form against them.
   */
  forms?: string[];
}

/** Returns a CSP source for a URL; CSP cannot name IPv6 addresses, so those are allowed by scheme. */
export function formSource(address: string): string {
  const { origin, protocol } = new URL(address);
  return origin.includes('[') ? protocol : origin;
}

export const button = (action: string, text: string) =>
  html`<button name="action" value="${action}">${text}</button>`;

export const facts = (rows: [string, unknown][]) =>
  html`<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;

export const problemNote = (problem: string | null) => problem && html`<p role="alert"><b>${problem}</b></p>`;

const STYLE = `
:root{color-scheme:light dark;--bg:light-dark(oklch(.985 .004 100),oklch(.185 .006 110));
--surface:light-dark(oklch(1 0 0),oklch(.215 .007 110));--fg:light-dark(oklch(.22 .012 105),oklch(.945 .006 105));
--muted:light-dark(oklch(.46 .014 105),oklch(.745 .012 108));--line:light-dark(oklch(.895 .008 100),oklch(.305 .009 110));
--mark:light-dark(oklch(.93 .185 112),oklch(.9 .19 113));--on-mark:oklch(.2 .012 105);
--ring:light-dark(oklch(.24 .014 105),oklch(.88 .165 113))}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:1rem/1.625 system-ui,-apple-system,"Segoe UI",sans-serif}
header,main{max-width:60rem;margin:0 auto;padding:1rem 1.25rem}
header{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:baseline}
header strong{background:var(--mark);color:var(--on-mark);padding:0 .4rem;border-radius:6px}
h1{font-size:1.75rem;line-height:1.2;letter-spacing:-.022em;margin:.5rem 0 .25rem}
h2{font-size:1rem;margin:1.5rem 0 .5rem}
p{max-width:66ch;margin:.25rem 0 1rem;overflow-wrap:anywhere}
a{color:inherit;text-underline-offset:.2em}
a:focus-visible,iframe:focus-visible,.scroll:focus-visible,pre:focus-visible,button:focus-visible,input:focus-visible{outline:2px solid var(--ring);outline-offset:2px}
.muted,time{color:var(--muted);font-size:.875rem}
ul.list{list-style:none;margin:1rem 0;padding:0;background:var(--surface);border:1px solid var(--line);border-radius:10px}
ul.list li+li{border-top:1px solid var(--line)}
ul.list a,ul.list button{display:grid;grid-template-columns:1fr auto;gap:0 1rem;padding:.75rem 1rem;min-height:2.75rem;text-decoration:none}
ul.list button{width:100%;border:0;background:none;text-align:start}
@media(max-width:30rem){ul.list a,ul.list button{grid-template-columns:1fr}}
ul.list a:hover b,ul.list button:hover b{text-decoration:underline}
button,input{font:inherit;color:inherit}
button{cursor:pointer;padding:.5rem 1rem;min-height:2.75rem;border:1px solid var(--line);border-radius:8px;background:var(--surface)}
.fields{display:grid;gap:.75rem;max-width:26rem}.fields label{display:grid;gap:.25rem}.fields label.tick{grid-template-columns:auto 1fr;align-items:center;min-height:2.75rem}
.fields input:not([type=checkbox]){padding:.5rem .75rem;min-height:2.75rem;width:100%;border:1px solid var(--muted);border-radius:8px;background:var(--surface)}
ul.list b,ul.list span{overflow-wrap:anywhere}
.row{display:flex;flex-wrap:wrap;gap:.5rem}.main{background:var(--mark);color:var(--on-mark);border-color:transparent;font-weight:600}
time.date{color:inherit;font-size:inherit;white-space:nowrap}
.scroll{overflow-x:auto;margin:0 0 1rem}table{border-collapse:collapse;width:100%}
th,td{text-align:start;padding:.5rem 1rem .5rem 0;border-bottom:1px solid var(--line);white-space:nowrap}th{color:var(--muted);font-weight:400}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.125rem 1rem;margin:0 0 1rem}
dt{color:var(--muted)}dd{margin:0;overflow-wrap:anywhere}
.parts{display:grid;gap:1rem}@media(min-width:52rem){.parts.two{grid-template-columns:3fr 2fr}}
.parts section{min-width:0}
iframe{width:100%;height:min(70vh,40rem);border:1px solid var(--line);border-radius:10px;background:#fff;color-scheme:light}
pre{margin:0;padding:1rem;white-space:pre-wrap;overflow-wrap:anywhere;background:var(--surface);
border:1px solid var(--line);border-radius:10px;font:.875rem/1.6 ui-monospace,Menlo,Consolas,monospace}`;

/**
 * Sends a page that loads nothing from outside. Inline styles are allowed because a shown mail (a srcdoc frame, which
 * inherits this policy) contains its own; scripts only run by hash, and never in a sandboxed frame.
 */
export function sendPage(res: ServerResponse, { title, body, script, status = 200, forms }: Page): void {
  const hash = script && createHash('sha256').update(script).digest('base64');
  const policy = [
    `default-src 'none'; style-src 'unsafe-inline'; img-src data:`,
    `script-src ${hash ? `'sha256-${hash}'` : `'none'`}; connect-src ${hash ? `'self'` : `'none'`}`,
    `base-uri 'none'; form-action ${forms ? [`'self'`, ...forms].join(' ') : `'none'`}; frame-ancestors 'none'`,
  ];
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${title}</title><style>${raw(STYLE)}</style></head>
<body><header><strong>Stand-in</strong><a href="/">All stand-ins</a><a href="/mail">Mailbox</a></header>
<main>${body}</main>${script && html`<script>${raw(script)}</script>`}</body></html>`;
  send(res, status, 'text/html', String(page), {
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
  });
}

export function indexPage(standIns: StandIn[]): Page {
  const links = (all: StandIn['links']) =>
    all.map(({ href, text }, n) => html`${n > 0 ? ' · ' : ''}<a href="${href}">${text}</a>`);
  const items = standIns.map((each) => html`<h2>${each.name}</h2><p>${each.about} ${links(each.links)}</p>`);
  return {
    title: 'Stand-ins',
    body: html`<h1>Stand-ins</h1><p>These local servers answer in place of the outside services for which no key is set.
They listen on this machine only.</p>${items}<h2>Instruments</h2>
<p><a href="/log">Log of requests</a> · <a href="/control">Switches</a> · <a href="/clock">Clock</a></p>`,
  };
}
