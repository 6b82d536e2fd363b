import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type RandomAccessFile, unpacked, zipEntries } from './zip-entries.server.ts';

const sourceOf = (bytes: Buffer): RandomAccessFile => ({
  bytes: bytes.length,
  read: (offset, length) => bytes.subarray(offset, offset + length),
});

interface Entry {
  name: string;
  content: Buffer;
  /** Values for the headers that replace the true ones. */
  claims?: Partial<{ size: number; method: number; header: number }>;
}

/** Builds an archive by hand (APPNOTE 4.3), with errors that no archiver would write. */
function archiveOf(entries: Entry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, claims = {} } of entries) {
    const packed = deflateRawSync(content);
    const [local, central] = [Buffer.alloc(30), Buffer.alloc(46)];
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(8, 8);
    local.writeUInt16LE(name.length, 26);
    central.writeUInt32LE(0x02014b50);
    central.writeUInt16LE(claims.method ?? 8, 10);
    central.writeUInt32LE(crc32(content), 16);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(claims.size ?? content.length, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(claims.header ?? at, 42);
    files.push(local, Buffer.from(name), packed);
    directory.push(central, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...files, ...directory, end]);
}

async function readContent(bytes: Buffer, name: string, limit = 1024): Promise<string> {
  const source = sourceOf(bytes);
  const entry = zipEntries(source).get(name);
  if (!entry) throw new Error('none');
  const parts: Buffer[] = [];
  for await (const part of unpacked(source, entry, limit)) parts.push(part);
  return Buffer.concat(parts).toString();
}

const file = { name: 'conversations.json', content: Buffer.from('[1]') };

describe('the entries of an archive', () => {
  test('are read by name', async () => {
    expect(await readContent(archiveOf([{ name: 'a', content: Buffer.from('x') }, file]), file.name)).toBe(
      '[1]',
    );
  });

  test('inflate within the limit, whatever their headers say', async () => {
    const bomb = { ...file, content: Buffer.alloc(1_000_000), claims: { size: 3 } };
    await expect(readContent(archiveOf([bomb]), file.name)).rejects.toMatchObject({ failure: 'too_large' });
  });

  test.each([
    ['an unknown method', { method: 99 }],
    ['a wrong header offset', { header: 7 }],
    ['a header beyond the end', { header: 4_000_000_000 }],
  ])('with %s are damaged', async (_, claims) => {
    const bytes = archiveOf([{ ...file, claims }]);
    await expect(readContent(bytes, file.name)).rejects.toMatchObject({ failure: 'damaged' });
  });

  test.each(['../x', 'a/../../x', '/etc/passwd', 'C:/x', 'a\\b', 'a\0b'])('named %j are refused', (name) => {
    const source = sourceOf(archiveOf([{ name, content: Buffer.from('x') }]));
    expect(() => zipEntries(source)).toThrow(expect.objectContaining({ failure: 'unsafe' }));
  });

  test('are refused if two have the same name', () => {
    expect(() => zipEntries(sourceOf(archiveOf([file, file])))).toThrow(
      expect.objectContaining({ failure: 'damaged' }),
    );
  });

  test('are damaged if their bytes are corrupt', async () => {
    const bytes = archiveOf([{ ...file, content: Buffer.from('x'.repeat(500)) }]);
    bytes.fill(0xff, 50, 54);
    await expect(readContent(bytes, file.name)).rejects.toMatchObject({ failure: 'damaged' });
  });
});
