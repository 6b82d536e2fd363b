import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { m } from '#messages';
import { limitWork } from '../child-program.server.ts';
import { startHeicReader } from '../document-reader/reader-process.server.ts';
import type { HeicLine } from '../document-reader/reader-protocol.ts';
import { createFairQueue } from '../fair-queue.server.ts';
import { Problem } from '../http/problem.server.ts';
import { log } from '../log.server.ts';
import type { RawPixels } from './reencode.server.ts';

/** 48 million pixels took 4 s in a test. */
const DECODING_MS = 15_000;

/** One at a time in this process, so that memory is limited to one picture. */
const queue = createFairQueue({
  concurrency: 1,
  maxWaiting: 20,
  fullMessage: m.images_busy,
  busyMessage: m.images_own_busy,
});

const unreadable = () => new Problem('bad_request', m.image_heic_unreadable());

function parsePixels(output: Buffer): RawPixels {
  const end = output.indexOf(10);
  if (end < 0) throw unreadable();
  const line = JSON.parse(output.subarray(0, end).toString()) as HeicLine;
  if ('failed' in line) throw unreadable();
  const { width, height, decoded } = line;
  if (!decoded) throw new Problem('too_large', m.image_too_many_pixels({ width, height }));
  const data = output.subarray(end + 1);
  if (data.length !== width * height * 4) throw unreadable();
  return { data, raw: { width, height, channels: 4 } };
}

/**
 * Decodes a HEIC image (from an iPhone) with its rotation, in a process without permissions. The next image waits
 * until the pixels are used. @throws Problem if it cannot be decoded or is too large
 */
export function readHeic<T>(
  path: string,
  { key, signal }: { key: string; signal: AbortSignal },
  use: (pixels: RawPixels) => Promise<T>,
): Promise<T> {
  const decode = async () => {
    const file = await open(path);
    try {
      const child = startHeicReader(file.fd);
      const stop = () => void child.kill('SIGKILL');
      const limit = limitWork(child, DECODING_MS);
      signal.addEventListener('abort', stop);
      try {
        const [output, [code, killedBy]] = await Promise.all([buffer(child.stdout), once(child, 'close')]);
        if (signal.aborted) throw new Problem('bad_request', m.request_cut_off());
        if (code !== 0) log.warn({ exit: code, signal: killedBy }, 'an image exceeded its limits');
        limit.end();
        return await use(parsePixels(output));
      } finally {
        limit.end();
        signal.removeEventListener('abort', stop);
      }
    } finally {
      await file.close();
    }
  };
  return queue(decode, { key, signal });
}
