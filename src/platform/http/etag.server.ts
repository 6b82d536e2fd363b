const strong = (tag: string) => tag.trim().replace(/^W\//, '');

/** Weak and strong tags count alike (RFC 9110, 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map(strong);
  return known.includes(strong(etag)) || known.includes('*');
}
