import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { constants, createZstdCompress } from 'node:zlib';
import { Encrypter } from 'age-encryption';
import { pack } from 'tar-stream';
import { SUMS_ENTRY } from './archive-format.server.ts';

export interface ArchiveWriter {
  add(name: string, bytes: Uint8Array): Promise<void>;
  /** Writes the checksums of all entries as the last entry, and waits until the archive is complete. */
  finish(): Promise<void>;
  /** Stops writing and destroys the output with `error`. */
  abandon(error: Error): void;
}

const settings = {
  params: {
    [constants.ZSTD_c_compressionLevel]: 3,
    // Makes a changed byte detectable wherever it is.
    [constants.ZSTD_c_checksumFlag]: 1,
  },
};

async function encrypted(bytes: Readable, passphrase: string): Promise<Readable> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  const stream = await encrypter.encrypt(Readable.toWeb(bytes) as globalThis.ReadableStream<Uint8Array>);
  return Readable.fromWeb(stream as ReadableStream<Uint8Array>);
}

/** Writes a tar, compressed with zstd and, given a passphrase, encrypted with age: standard tools can open it. */
export function writeArchive(
  out: Writable,
  { madeAt, passphrase }: { madeAt: Date; passphrase: string | undefined },
): ArchiveWriter {
  const tar = pack();
  const compress = createZstdCompress(settings);
  const sums: string[] = [];
  const written = Promise.all([
    pipeline(Readable.from(tar), compress),
    passphrase
      ? encrypted(compress, passphrase).then((bytes) => pipeline(bytes, out))
      : pipeline(compress, out),
  ]);
  // `addEntry` and `finish` throw the error.
  written.catch((error: Error) => tar.destroy(error));

  const addEntry = async (name: string, bytes: Uint8Array) => {
    const header = { name, size: bytes.length, mode: 0o600, mtime: madeAt };
    const accepted = new Promise<void>((resolve, reject) => {
      const entry = tar.entry(header, (error) => (error ? reject(error) : resolve()));
      entry.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    });
    await Promise.race([accepted, written]);
  };

  return {
    async add(name, bytes) {
      await addEntry(name, bytes);
      sums.push(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`);
    },
    async finish() {
      await addEntry(SUMS_ENTRY, Buffer.from(sums.join('')));
      tar.finalize();
      await written;
    },
    abandon(error) {
      tar.destroy(error);
      compress.destroy(error);
      out.destroy(error);
    },
  };
}
