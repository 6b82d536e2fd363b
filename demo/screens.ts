import { mkdtempSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Browser } from '@playwright/test';
import { contextOf, openBrowser, type View } from './browser.ts';
import { fill, type Members } from './fill.ts';
import { type Kept, keep, tidy } from './pictures.ts';
import { type Shot, shots } from './shots.ts';
import { DemoError, type DemoSite, openDatabase, startSite } from './site.ts';

/** The moment that all pictures show: a Wednesday morning. */
const NOW = new Date('2026-11-18T09:41:00Z');

const frames: Record<'wide' | 'phone', Omit<View, 'theme'>> = {
  wide: { width: 1280, height: 900, touch: false },
  /** As wide as the column of the home page in a window of 390. */
  phone: { width: 358, height: 844, touch: true },
};

const say = (line: string) => process.stdout.write(`${line}\n`);

/** One picture of a shot, as PNG at twice its size. */
async function take(
  { browser, site, members }: { browser: Browser; site: DemoSite; members: Members },
  shot: Shot,
  frame: 'wide' | 'phone',
  theme: View['theme'],
): Promise<Buffer> {
  const view = { ...frames[frame], ...shot.view?.[frame], theme };
  const context = await contextOf(browser, site, members[shot.who], view, NOW);
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(await shot.path(members[shot.who]));
    const clip = await shot.frame(page, frame);
    return await page.screenshot({ clip, caret: 'hide', animations: 'disabled' });
  } finally {
    await context.close();
  }
}

/** Takes the pictures of the home page, or those that are named, from a sandbox of its own; writes what has changed. */
async function screens(names: string[]): Promise<void> {
  const chosen = shots.filter(({ name }) => names.length === 0 || names.includes(name));
  const dataDir = mkdtempSync(join(tmpdir(), 'site-screens-'));
  await chmod(dataDir, 0o755);
  const site = await startSite(dataDir);
  const browser = await openBrowser();
  try {
    const database = await openDatabase(dataDir);
    const members = await fill(site, database, NOW).finally(() => database.close());
    const kept: Kept[] = [];
    for (const shot of chosen)
      for (const frame of ['wide', 'phone'] as const)
        for (const theme of ['light', 'dark'] as const) {
          const png = await take({ browser, site, members }, shot, frame, theme);
          const written = await keep(`${shot.name}-${frame}-${theme}`, png);
          kept.push(...written);
          say(
            written.map(({ name, bytes, isNew }) => `${isNew ? 'new ' : 'same'} ${bytes} ${name}`).join('\n'),
          );
        }
    tidy(
      kept,
      shots.map(({ name }) => name),
    );
    say(`${kept.length} files, ${Math.round(kept.reduce((sum, { bytes }) => sum + bytes, 0) / 1024)} KiB`);
  } finally {
    await browser.close();
    await site.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

try {
  await screens(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof DemoError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
