import { once } from 'node:events';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { ExportFile } from '../data-export.server.ts';

/**
 * @throws when an entry cannot be made, or `target` closes early; it is destroyed then, so that no broken archive
 * looks whole.
 */
export async function writeArchive(entries: AsyncIterable<ExportFile>, target: Writable): Promise<void> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  const written = pipeline(output, target);
  // It may fail while an entry is being made and nobody waits for it.
  written.catch(() => undefined);
  let source: Readable | undefined;
  try {
    for await (const { name, content } of entries) {
      const options = { mtime: new Date() };
      if (Buffer.isBuffer(content) || typeof content === 'string') {
        zip.addBuffer(Buffer.from(content as string), name, options);
        continue;
      }
      source = Readable.from(content, { objectMode: false });
      const read = once(source, 'close');
      zip.addReadStream(source, name, options);
      await Promise.race([read, written]);
      if (target.destroyed) break;
    }
    zip.end();
    await written;
  } catch (error) {
    source?.destroy();
    output.destroy();
    target.destroy();
    throw error;
  }
}

/** It breaks off where an entry cannot be made. */
export function archiveOf(entries: AsyncIterable<ExportFile>): PassThrough {
  const archive = new PassThrough();
  // Whoever reads the archive is told.
  writeArchive(entries, archive).catch(() => undefined);
  return archive;
}
