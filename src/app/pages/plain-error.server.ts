import { themeScript } from '../shell/theme-script.ts';

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

/** A whole page that needs nothing else of the site but its stylesheet: for errors before or beside the router. */
export function plainErrorPage(
  error: { status: number; message: string; requestId: string },
  stylesheet: string | null,
): string {
  const { status, message, requestId } = error;
  const style = stylesheet ? `<link rel="stylesheet" href="${escapeHtml(stylesheet)}">` : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>Error ${status}</title>
<script>${themeScript}</script>${style}</head>
<body><main class="wrap message-page"><p class="eyebrow">Error ${status}</p><h1 class="h1"><span class="mark">That did not work</span></h1>
<p class="lead">${escapeHtml(message)}</p><p><a class="btn btn-primary btn-lg" href="/">Return to Home</a></p>
<p class="fine">Request ${escapeHtml(requestId)}</p></main></body></html>`;
}
