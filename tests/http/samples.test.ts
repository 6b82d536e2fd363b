import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import { soak } from '../support/soak.ts';

/** Not shared: the log of shared stand-ins is compared with the records of their own site. */
let standIns: RunningStandIns;
const folder = mkdtempSync(join(tmpdir(), 'samples-'));
beforeAll(async () => {
  standIns = await spawnStandIns();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await standIns.remove();
});

/** Runs `npm run samples`, which starts its own site. */
function samples(args: string[], models: NodeJS.ProcessEnv): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR, ...models };
  return new Promise((done) => {
    execFile(process.execPath, [resolve('demo/samples.ts'), ...args], { env }, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}
const json = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

test.runIf(soak)(
  'creates every sample with the configured models, in the size that pages need, and names the model',
  async () => {
    const { code, output } = await samples(['--to', folder], {
      LLM_BASE_URL: `${standIns.base}/gateway/v1`,
      LLM_API_KEY: 'stand-in',
      LLM_MODEL: 'writer-1',
      IMAGE_MODEL: 'painter-1',
    });
    expect([code, output]).toEqual([0, expect.stringContaining('Made. Review them')]);
    const samplesIn = (path: string) => readdirSync(path).filter((name) => name.endsWith('.webp'));
    expect(samplesIn(folder).sort()).toEqual(samplesIn(resolve('content/samples')).sort());
    for (const name of samplesIn(folder)) {
      const { width, height, size = 0 } = await sharp(readFileSync(join(folder, name))).metadata();
      expect([width, [480, 720].includes(height)]).toEqual([720, true]);
      expect(size).toBeLessThanOrEqual(40 * 1024);
    }
    expect(json('made.json')).toEqual({ images: 'painter-1', texts: 'writer-1' });
    const before = JSON.parse(readFileSync(resolve('content/prompts/samples.json'), 'utf8'));
    const after = json('samples.json');
    expect(Object.keys(after)).toEqual(Object.keys(before));
    for (const slug of Object.keys(before).filter((each) => before[each].text))
      expect([slug, after[slug].text !== before[slug].text, after[slug].text.length > 10]).toEqual([
        slug,
        true,
        true,
      ]);
  },
);

test('creates nothing without a model, or of an unknown kind', async () => {
  expect(await samples([], {})).toMatchObject({
    code: 1,
    output: expect.stringContaining('No model is set'),
  });
  expect(await samples(['songs'], {})).toMatchObject({
    code: 1,
    output: expect.stringContaining('npm run samples'),
  });
});
