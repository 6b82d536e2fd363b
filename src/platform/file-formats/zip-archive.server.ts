import { once } from 'node:events';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { ExportFile } from '../data-export.server.ts';

/**
 * Writes a zip archive to `target`. Throws when an entry cannot be made or `target` closes early, and then destroys
 * `target`, so that a broken archive never looks complete.
 */
export async function writeArchive(entries: AsyncIterable<ExportFile>, target: Writable): Promise<void> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  const written = pipeline(output, target);
  // It may fail while an entry is being made, before anything awaits it.
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
      const sourceClosed = once(source, 'close');
      zip.addReadStream(source, name, options);
      await Promise.race([sourceClosed, written]);
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

/** The stream breaks off if an entry cannot be made. */
export function archiveOf(entries: AsyncIterable<ExportFile>): PassThrough {
  const archive = new PassThrough();
  // The reader of the archive gets the error.
  writeArchive(entries, archive).catch(() => undefined);
  return archive;
}
