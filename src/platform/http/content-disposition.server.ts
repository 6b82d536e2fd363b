export const downloadHeaders = (name: string, type: string): Record<string, string> => ({
  'content-type': type,
  'content-disposition': contentDisposition('attachment', name),
  'cache-control': 'private, no-store',
});

/** RFC 6266: plain ASCII for old readers, the whole name by RFC 8187; no character can leave its place in the header. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w .()-]/g, '_');
  const whole = encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${whole}`;
}
