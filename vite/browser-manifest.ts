import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const START = 'window.__reactRouterManifest=';

interface Manifest {
  routes: Record<string, { imports?: string[] }>;
}

/**
 * Leaves out of what every page of the app learns of the routes what the others import. A browser names a page's scripts
 * in advance where it takes over from the server, and public pages have none of these.
 */
export function trimManifest(assets: string, isNamed: (route: string) => boolean): void {
  const file = readdirSync(assets).find((name) => /^manifest-\w+\.js$/.test(name));
  if (!file) throw new Error('React Router has written no manifest.');
  const path = join(assets, file);
  const code = readFileSync(path, 'utf8');
  if (!code.startsWith(START)) throw new Error('The manifest is written in another way than expected.');
  const manifest = JSON.parse(code.slice(START.length).replace(/;$/, '')) as Manifest;
  for (const [id, route] of Object.entries(manifest.routes)) if (!isNamed(id)) delete route.imports;
  writeFileSync(path, `${START}${JSON.stringify(manifest)};`);
}
