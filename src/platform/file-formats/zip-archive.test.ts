import { randomBytes } from 'node:crypto';
import { PassThrough, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { unzip } from '#tests/support/zip.ts';
import type { ExportFile } from '../data-export.server.ts';
import { writeArchive } from './zip-archive.server.ts';

/** Incompressible texts, and how many of them were requested. */
function source(pieces: number) {
  const state = { made: 0, whole: '' };
  async function* text() {
    for (; state.made < pieces; state.made++) {
      const piece = randomBytes(24_000).toString('base64');
      state.whole += piece;
      yield piece;
    }
  }
  return { state, text };
}

async function* list(...entries: ExportFile[]) {
  yield* entries;
}

test('holds texts and bytes under their names', async () => {
  const { state, text } = source(20);
  const target = new PassThrough();
  const whole = buffer(target);
  await writeArchive(
    list(
      { name: 'README.txt', content: 'Größe' },
      { name: 'a/世界.md', content: text() },
      { name: 'empty.txt', content: source(0).text() },
      { name: 'b.bin', content: Buffer.from([0, 255]) },
    ),
    target,
  );
  const files = unzip(await whole);
  expect([...files.keys()]).toEqual(['README.txt', 'a/世界.md', 'empty.txt', 'b.bin']);
  expect(files.get('README.txt')?.toString()).toBe('Größe');
  expect(files.get('a/世界.md')?.toString()).toBe(state.whole);
  expect(files.get('empty.txt')?.length).toBe(0);
  expect([...(files.get('b.bin') ?? [])]).toEqual([0, 255]);
});

test('makes only what its reader takes', async () => {
  const { state, text } = source(1_000);
  let go = () => {};
  const parts: Buffer[] = [];
  const blocked = new Promise<void>((stuck) => {
    go = stuck;
  });
  let release: (() => void) | undefined;
  let open = false;
  const target = new Writable({
    write(part: Buffer, _, taken) {
      parts.push(part);
      if (open) return taken();
      release = taken;
      go();
    },
  });
  const written = writeArchive(list({ name: 'a', content: text() }), target);
  await blocked;
  // Waits until no more pieces are made.
  for (let [rounds, seen] = [0, -1]; rounds < 200; rounds++) {
    if (seen !== state.made) [rounds, seen] = [0, state.made];
    await new Promise((next) => setImmediate(next));
  }
  expect(state.made).toBeGreaterThan(0);
  expect(state.made).toBeLessThan(40);
  open = true;
  release?.();
  await written;
  expect(unzip(Buffer.concat(parts)).get('a')?.toString()).toBe(state.whole);
});

test('stops when its reader leaves, and asks for no further entry', async () => {
  const { state, text } = source(1_000);
  let asked = 0;
  async function* entries(): AsyncGenerator<ExportFile> {
    for (; asked < 50; asked++) yield { name: `${asked}`, content: text() };
  }
  const target = new PassThrough();
  target.once('data', () => target.destroy());
  await expect(writeArchive(entries(), target)).rejects.toThrow();
  expect(state.made).toBeLessThan(1_000);
  expect(asked).toBe(0);
});

test('an entry that fails leaves no archive that looks whole', async () => {
  async function* broken() {
    yield 'begun';
    throw new Error('the rows ended');
  }
  const target = new PassThrough();
  const whole = buffer(target);
  whole.catch(() => undefined);
  await expect(writeArchive(list({ name: 'a', content: broken() }), target)).rejects.toThrow(
    'the rows ended',
  );
  await expect(whole).rejects.toThrow();
  expect(target.destroyed).toBe(true);
});
