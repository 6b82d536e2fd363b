import { matchPattern } from './render-page.server.ts';
import { allPages } from './shell/site-pages.ts';

function shownPattern(pattern: string, params: Record<string, string | undefined>): string {
  const parts = pattern.split('/').filter((part) => !part.endsWith('?') || params[part.slice(1, -1)]);
  return parts.map((part) => part.replace(/\?$/, '')).join('/') || '/';
}

/** Returns the path to count: for personal pages the pattern of the route, without ids. Null: not counted. */
export function pageViewPath(path: string): string | null {
  if (!/^\/(?!\/)/.test(path)) return null;
  const plain = path.length > 1 ? path.replace(/\/$/, '') : path;
  // Also the same for everybody, because it is not a chat yet.
  if (plain === '/chat/new' || allPages.some((page) => page.path === plain)) return plain;
  const match = matchPattern(plain);
  const pattern = match?.route.path ?? '/*';
  return pattern === '/*' || pattern === '/blog/:slug' ? null : shownPattern(pattern, match?.params ?? {});
}
