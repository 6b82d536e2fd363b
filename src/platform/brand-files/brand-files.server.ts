import { createHash } from 'node:crypto';
import { BoundedCache } from '../bounded-cache.ts';
import { runProgram } from '../child-program.server.ts';
import { database } from '../database/database.server.ts';
import { sql } from '../database/sql.server.ts';
import type { SettingsReader } from '../settings/settings-store.server.ts';
import type { LogoResponse } from './logo-maker-protocol.ts';

/** Rejects a picture; the message completes a sentence that starts with the picture's name. */
export class LogoError extends Error {}

export interface Logo {
  path: string;
  /** Path of the square picture made from it. */
  icon: string;
  width: number;
  height: number;
  /** Whether the site's name is shown next to the logo; otherwise the logo replaces it. */
  withName: boolean;
}

/** Ratio of width to height from which a picture is assumed to contain the name itself. */
const WORDMARK_RATIO = 1.5;

export const isBrandFile = (name: string): boolean => /^(logo|icon)-[\w-]{22}\.png$/.test(name);

/** Runs in another process, because this one blocks SVG. */
async function draw(source: Buffer): Promise<LogoResponse> {
  const { child, output } = await runProgram(
    'logo-maker',
    { source: source.toString('base64') },
    { niceness: 10 },
  );
  if (child.exitCode !== 0 || output.length === 0) return { problem: 'cannot be read as a picture' };
  return JSON.parse(output.toString()) as LogoResponse;
}

/** Makes and stores PNG files of a picture. @returns the value for the setting. @throws LogoError */
export async function storeLogo(source: Buffer): Promise<Logo> {
  const response = await draw(source);
  if (response.problem !== undefined) throw new LogoError(response.problem);
  const { logo, icon, width, height } = response;
  const hash = createHash('sha256').update(logo).digest('base64url').slice(0, 22);
  const [name, iconName] = [`logo-${hash}.png`, `icon-${hash}.png`];
  await database().run(sql`
    insert into brand_files (name, bytes)
    values (${name}, decode(${logo}, 'base64')), (${iconName}, decode(${icon}, 'base64'))
    on conflict (name) do nothing`);
  const withName = width < WORDMARK_RATIO * height;
  return { path: `/brand/${name}`, icon: `/brand/${iconName}`, width, height, withName };
}

export async function hasBrandFiles(db: SettingsReader, { path, icon }: Logo): Promise<boolean> {
  const names = [path, icon].map((each) => each.replace('/brand/', ''));
  const rows = await db.rows(sql`select 1 from brand_files where name = any(${names})`);
  return rows.length === names.length;
}

const cache = new BoundedCache<Buffer>(8);

/** Returns null if there is no such file. The content of a name never changes. */
export async function brandFile(name: string): Promise<Buffer | null> {
  const cached = cache.get(name);
  if (cached) return cached;
  const row = await database().row<{ bytes: Buffer }>(
    sql`select bytes from brand_files where name = ${name}`,
  );
  return row && cache.set(name, row.bytes);
}
