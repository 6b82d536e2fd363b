import process from 'node:process';
import { resolveConfig, setConfig } from '#platform/config/config.server.ts';
import { readEnvironment } from '#platform/config/read-environment.server.ts';
import { adminRoutes } from '../admin/admin-routes.server.tsx';
import { site } from '../http.server.ts';
import { pageRoutes } from '../render-page.server.ts';

/** The tests compare this list with their table of permissions. */
function main(): void {
  setConfig(resolveConfig(readEnvironment()));
  const api = site()
    .routes.filter(({ method, path }) => method !== 'ALL' || !path.endsWith('*'))
    .map(({ method, path }) => `${method} ${path}`);
  const admin = adminRoutes.map(({ method, path }) => `${method} ${path}`);
  process.stdout.write(
    `${JSON.stringify({ api: [...new Set(api)].sort(), pages: pageRoutes(), admin }, null, 2)}\n`,
  );
}

main();
process.exit(0);
