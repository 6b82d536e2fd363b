import { readFileSync } from 'node:fs';

export const asksForSample = (text: string): boolean =>
  /^\s*show me what a reply can look like\b/i.test(text);

export const SAMPLE_ANSWER = readFileSync(new URL('./sample-answer.md', import.meta.url), 'utf8');
