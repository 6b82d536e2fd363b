import { lazy } from 'react';

export const loadMarkdown = () => import('./markdown.tsx');

export const LazyMarkdown = lazy(async () => ({ default: (await loadMarkdown()).Markdown }));
