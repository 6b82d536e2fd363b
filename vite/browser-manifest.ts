import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const START = 'window.__reactRouterManifest=';

interface Manifest {
  routes: Record<string, Record<string, unknown>>;
}

/**
 * Shrinks the route manifest that every page of the app loads: removes properties that are false, and the scripts and
 * style sheets of routes for which `keepsFiles` is false, because browsers load those pages from the server.
 */
export function trimManifest(assets: string, keepsFiles: (route: string) => boolean): void {
  const file = readdirSync(assets).find((name) => /^manifest-\w+\.js$/.test(name));
  if (!file) throw new Error('React Router has written no manifest.');
  const path = join(assets, file);
  const code = readFileSync(path, 'utf8');
  if (!code.startsWith(START)) throw new Error('The manifest is written in another way than expected.');
  const manifest = JSON.parse(code.slice(START.length).replace(/;$/, '')) as Manifest;
  for (const [id, route] of Object.entries(manifest.routes)) {
    const isRemoved = (key: string) => !keepsFiles(id) && ['imports', 'css'].includes(key);
    for (const [key, value] of Object.entries(route))
      if (value === false || isRemoved(key)) delete route[key];
  }
  writeFileSync(path, `${START}${JSON.stringify(manifest)};`);
}
