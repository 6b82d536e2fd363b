/** A host that no real address can have. */
const BASE = 'http://own.invalid';

/**
 * Returns the path, or null if the text could lead off this site. Also rejects encoded slashes, backslashes and control
 * characters in the path, because a proxy may decode them.
 */
export function safeRedirectPath(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > 2000) return null;
  if (!/^\/(?![/\\])/.test(text) || /[\\\s\u0000-\u001f\u007f-\u009f]/.test(text)) return null;
  const [path = ''] = text.split(/[?#]/, 1);
  if (/\/\/|%(?:2f|5c|2e|[01][0-9a-f]|7f)/i.test(path) || /\/\.{1,2}(?:\/|$)/.test(path)) return null;
  if (!URL.canParse(text, BASE)) return null;
  const url = new URL(text, BASE);
  return url.origin === BASE && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : null;
}
