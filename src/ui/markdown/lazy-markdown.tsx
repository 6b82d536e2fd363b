import { lazy } from 'react';

/** Loads what reads Markdown, ahead of need or with it; a page without replies does without. */
export const loadMarkdown = () => import('./markdown.tsx');

/** `Markdown`, loaded with the first text that is shown; the server's markup stands until then. */
export const LazyMarkdown = lazy(async () => ({ default: (await loadMarkdown()).Markdown }));
