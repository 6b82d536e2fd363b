import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locale } from '#messages';
import { releaseRoot } from './config/project-root.server.ts';

let cached: { folders: Record<Locale, string>; files: Set<string> } | undefined;

/** The folders and files that vite/messages/localize.ts wrote for this build. */
function readAssets() {
  if (cached) return cached;
  const content = JSON.parse(readFileSync(join(releaseRoot, 'server', 'localized-assets.json'), 'utf8'));
  cached = { folders: content.folders, files: new Set(content.files) };
  return cached;
}

/** Returns the path of a script with translated messages by its module's name, or null if there is none. */
export function localizedPathOf(module: string, locale: Locale): string | null {
  const { folders, files } = readAssets();
  const file = [...files].find((name) => name.startsWith(`${module}-`) && name.length === module.length + 12);
  return file ? `/assets/${folders[locale]}/${file}` : null;
}

export function withLocalizedPaths(text: string, locale: Locale): string {
  const { folders, files } = readAssets();
  return text.replace(/\/assets\/([\w.-]+\.js)/g, (path, name: string) =>
    files.has(name) ? `/assets/${folders[locale]}/${name}` : path,
  );
}
