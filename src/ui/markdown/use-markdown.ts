import { onceLoaded } from '#client/once-loaded.ts';

const [load, use] = onceLoaded(async () => (await import('./markdown.tsx')).Markdown);

export { load as loadMarkdown, use as useMarkdown };
