import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const text = readFileSync(resolve(import.meta.dirname, '../../docs/deploy.md'), 'utf8');

/** Returns the lines of a section's fenced blocks of one language in docs/deploy.md, in order. */
export function fencedLines(section: string, language: string): string[] {
  const [, part = ''] = text.split(`\n## ${section}\n`);
  const [intro = ''] = part.split('\n## ');
  const blocks = [...intro.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
  return blocks.flatMap(([, body = '']) => body.trim().split('\n'));
}
