const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

/** A whole page that needs nothing else of the site: for errors before or beside the router. */
export function plainErrorPage(status: number, message: string, requestId: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>Error ${status}</title></head>
<body><main><h1>${status}</h1><p>${escapeHtml(message)}</p><p>Request ${escapeHtml(requestId)}</p><p><a href="/">Return to Home</a></p></main></body></html>`;
}
