import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { m } from '#messages';
import { config } from '../config/config.server.ts';
import { Problem } from '../http/problem.server.ts';

/** Stored on disk: however many people upload at once, this process holds nothing in memory. */
export interface Upload {
  path: string;
  bytes: number;
  head: Buffer;
}

const HEAD_BYTES = 1024;
/** Age after which an upload is left over from a crash. */
const STALE_MS = 3_600_000;

const folder = () => join(config().dataDir, 'uploads');

/** Writes data of the site to a file that is deleted after the work. */
export async function withTemporaryFile<T>(
  pieces: AsyncIterable<Uint8Array>,
  work: (path: string) => Promise<T>,
): Promise<T> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  const path = join(folder(), randomUUID());
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const piece of pieces) await file.writeFile(piece);
    } finally {
      await file.close();
    }
    return await work(path);
  } finally {
    await rm(path, { force: true });
  }
}

async function writeAll(request: Request, file: FileHandle, maxBytes: number): Promise<number> {
  let bytes = 0;
  if (!request.body) return 0;
  try {
    for await (const part of request.body) {
      bytes += part.byteLength;
      if (bytes > maxBytes) throw new Problem('too_large', m.request_too_large());
      await file.writeFile(part);
    }
  } catch (error) {
    if (error instanceof Problem || (error as { syscall?: string }).syscall === 'write') throw error;
    throw new Problem('bad_request', m.request_cut_off());
  }
  return bytes;
}

export async function withUpload<T>(
  request: Request,
  maxBytes: number,
  work: (upload: Upload) => Promise<T>,
): Promise<T> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  const path = join(folder(), randomUUID());
  try {
    const file = await open(path, 'wx+', 0o600);
    const head = Buffer.alloc(HEAD_BYTES);
    let bytes: number;
    try {
      bytes = await writeAll(request, file, maxBytes);
      await file.read(head, 0, HEAD_BYTES, 0);
    } finally {
      await file.close();
    }
    return await work({ path, bytes, head: head.subarray(0, Math.min(bytes, HEAD_BYTES)) });
  } finally {
    await rm(path, { force: true });
  }
}

export async function sweepUploads(): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder()).catch(() => [])) {
    const path = join(folder(), name);
    // An upload that ends in the meantime removes its own file.
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs > Date.now() - STALE_MS) continue;
    await rm(path, { force: true });
    removed++;
  }
  return removed;
}
