export const downloadHeaders = (name: string, type: string): Record<string, string> => ({
  'content-type': type,
  'content-disposition': contentDisposition('attachment', name),
  'cache-control': 'private, no-store',
});

/** RFC 6266: an ASCII fallback for old clients and the full name by RFC 8187, escaped so that neither can end early. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w .()-]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
