/** Whether an If-None-Match names this version; a proxy may have made it weak (RFC 9110, 13.1.2). */
export function namesTag(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
