import { locale, m } from '#messages';
import { themeScript } from '../../shell/theme-script.ts';

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

/** An error page that only needs the style sheet, for errors outside of the router. */
export function plainErrorPage(
  error: { status: number; message: string; requestId: string },
  stylesheet: string | null,
): string {
  const { status, message, requestId } = error;
  const title = escapeHtml(m.error_status({ status }));
  const style = stylesheet ? `<link rel="stylesheet" href="${escapeHtml(stylesheet)}">` : '';
  return `<!doctype html><html lang="${locale()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>${title}</title>
<script>${themeScript}</script>${style}</head>
<body><main class="wrap"><p class="eyebrow">${title}</p><h1 class="h1"><span class="mark">${escapeHtml(m.error_eyebrow())}</span></h1>
<p class="lead">${escapeHtml(message)}</p><p><a class="btn btn-primary btn-lg" href="/">${escapeHtml(m.common_return_home())}</a></p>
<p class="fine">${escapeHtml(m.error_request_id({ id: requestId }))}</p></main></body></html>`;
}
