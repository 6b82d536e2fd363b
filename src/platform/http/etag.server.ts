const strong = (tag: string) => tag.trim().replace(/^W\//, '');

/** Ignores the difference between weak and strong tags (RFC 9110, 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map(strong);
  return known.includes(strong(etag)) || known.includes('*');
}
