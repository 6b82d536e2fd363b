const withoutWeakMark = (tag: string) => tag.trim().replace(/^W\//, '');

/** Ignores the difference between weak and strong tags (RFC 9110, 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map(withoutWeakMark);
  return tags.includes(withoutWeakMark(etag)) || tags.includes('*');
}
