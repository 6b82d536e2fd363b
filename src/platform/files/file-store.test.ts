import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Config, setConfig } from '../config/config.server.ts';
import { fileKey, readFile, removeFile, storeFile } from './file-store.server.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'files-'));
beforeAll(() => {
  setConfig({ dataDir } as Config);
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe('stored files', () => {
  it('are returned byte for byte, and do not exist after removal', async () => {
    const bytes = new Uint8Array([0, 255, 10, 13, 128]);
    const key = await storeFile('attachment', bytes);
    expect(await readFile(key)).toEqual(bytes);
    await removeFile(key);
    expect(await readFile(key)).toBeNull();
    await removeFile(key);
  });

  it('are below the data folder under generated keys', async () => {
    const key = await storeFile('attachment', new Uint8Array([1]));
    expect(readdirSync(join(dataDir, 'files'))).toEqual(['attachment']);
    expect(key).toMatch(/^attachment\/[0-9a-f]{2}\/[0-9a-f-]{36}$/);
  });

  it.each([
    '../../etc/passwd',
    'C:\\x',
    'attachment/../x',
    'a\r\nX: y.pdf',
    '',
    'attachment/ab/😀',
    '/etc/passwd',
  ])('refuse %j as a key', (text) => {
    expect(() => fileKey(text)).toThrow('not a key');
  });
});
