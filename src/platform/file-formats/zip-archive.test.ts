import { randomBytes } from 'node:crypto';
import { PassThrough, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { unzip } from '#tests/support/zip.ts';
import type { ExportFile } from '../data-export.server.ts';
import { writeArchive } from './zip-archive.server.ts';

/** Incompressible texts, and how many of them were requested. */
function source(pieces: number) {
  const state = { produced: 0, text: '' };
  async function* text() {
    for (; state.produced < pieces; state.produced++) {
      const piece = randomBytes(24_000).toString('base64');
      state.text += piece;
      yield piece;
    }
  }
  return { state, text };
}

async function* list(...entries: ExportFile[]) {
  yield* entries;
}

test('contains texts and bytes under their names', async () => {
  const { state, text } = source(20);
  const target = new PassThrough();
  const archive = buffer(target);
  await writeArchive(
    list(
      { name: 'README.txt', content: 'Größe' },
      { name: 'a/世界.md', content: text() },
      { name: 'empty.txt', content: source(0).text() },
      { name: 'b.bin', content: Buffer.from([0, 255]) },
    ),
    target,
  );
  const files = unzip(await archive);
  expect([...files.keys()]).toEqual(['README.txt', 'a/世界.md', 'empty.txt', 'b.bin']);
  expect(files.get('README.txt')?.toString()).toBe('Größe');
  expect(files.get('a/世界.md')?.toString()).toBe(state.text);
  expect(files.get('empty.txt')?.length).toBe(0);
  expect([...(files.get('b.bin') ?? [])]).toEqual([0, 255]);
});

test('produces no more than its reader consumes', async () => {
  const { state, text } = source(1_000);
  let onBlocked = () => {};
  const parts: Buffer[] = [];
  const blocked = new Promise<void>((resolve) => {
    onBlocked = resolve;
  });
  let release: (() => void) | undefined;
  let isOpen = false;
  const target = new Writable({
    write(part: Buffer, _, callback) {
      parts.push(part);
      if (isOpen) return callback();
      release = callback;
      onBlocked();
    },
  });
  const written = writeArchive(list({ name: 'a', content: text() }), target);
  await blocked;
  // Waits until no more pieces are made.
  for (let [rounds, previous] = [0, -1]; rounds < 200; rounds++) {
    if (previous !== state.produced) [rounds, previous] = [0, state.produced];
    await new Promise((next) => setImmediate(next));
  }
  expect(state.produced).toBeGreaterThan(0);
  expect(state.produced).toBeLessThan(40);
  isOpen = true;
  release?.();
  await written;
  expect(unzip(Buffer.concat(parts)).get('a')?.toString()).toBe(state.text);
});

test('stops when its reader disconnects, and requests no further entry', async () => {
  const { state, text } = source(1_000);
  let requested = 0;
  async function* entries(): AsyncGenerator<ExportFile> {
    for (; requested < 50; requested++) yield { name: `${requested}`, content: text() };
  }
  const target = new PassThrough();
  target.once('data', () => target.destroy());
  await expect(writeArchive(entries(), target)).rejects.toThrow();
  expect(state.produced).toBeLessThan(1_000);
  expect(requested).toBe(0);
});

test('an entry that fails leaves no archive that looks complete', async () => {
  async function* broken() {
    yield 'begun';
    throw new Error('the rows ended');
  }
  const target = new PassThrough();
  const archive = buffer(target);
  archive.catch(() => undefined);
  await expect(writeArchive(list({ name: 'a', content: broken() }), target)).rejects.toThrow(
    'the rows ended',
  );
  await expect(archive).rejects.toThrow();
  expect(target.destroyed).toBe(true);
});
