import { matchPattern } from './render-page.server.ts';
import { allPages } from './shell/site-pages.ts';

function shownPattern(pattern: string, params: Record<string, string | undefined>): string {
  const parts = pattern.split('/').filter((part) => !part.endsWith('?') || params[part.slice(1, -1)]);
  return parts.map((part) => part.replace(/\?$/, '')).join('/') || '/';
}

/** A page that not everybody has counts as the pattern of its route, so that no id is in it. */
export function pageViewPath(path: string): string | null {
  if (!/^\/(?!\/)/.test(path)) return null;
  const plain = path.length > 1 ? path.replace(/\/$/, '') : path;
  // Everybody's too: not a conversation yet.
  if (plain === '/chat/new' || allPages.some((place) => place.path === plain)) return plain;
  const match = matchPattern(plain);
  const pattern = match?.route.path ?? '/*';
  return pattern === '/*' || pattern === '/blog/:slug' ? null : shownPattern(pattern, match?.params ?? {});
}
