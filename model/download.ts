import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf, ModelError } from './model-error.ts';

export interface Download {
  url: string;
  /** Path of the complete file; an incomplete one never has this name. */
  file: string;
  bytes: number;
  sha256: string;
  onProgress?: (bytes: number) => void;
  /** Pause before a retry, in milliseconds. */
  pauseMs?: number;
}

/** Limit of consecutive connections without any new data. */
const TRIES = 5;
const IDLE_MS = 60_000;

export const partOf = (file: string): string => `${file}.part`;

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function refusal(status: number, { url, file }: Download): ModelError {
  const host = new URL(url).host;
  const alternative = `Use another address for the same file with --from, or put the file at ${file} yourself.`;
  if (status === 401 || status === 403)
    return new ModelError(`${host} refused the download (status ${status}). ${alternative}`);
  if (status === 404 || status === 410)
    return new ModelError(`${host} no longer has the file (status ${status}). ${alternative}`);
  return new ModelError(`${host} returned status ${status}. Try again later. ${alternative}`);
}

const diskError = (error: unknown, { file }: Download): ModelError | null => {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new ModelError(
      `The disk with ${dirname(file)} is full. What was downloaded is kept: free up space and run this again.`,
    );
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
    return new ModelError(`Can't write to ${dirname(file)} (${code}).`);
  return null;
};

/** Opens the part file: to append if the response continues it, otherwise to overwrite it. */
async function openPart(response: Response, part: string, size: number): Promise<FileHandle> {
  const from = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1];
  return open(part, response.status === 206 && Number(from) === size ? 'a' : 'w');
}

/** Downloads over one connection until it ends, and returns the size of the part file. */
async function connection(download: Download, part: string): Promise<number> {
  let received = await sizeOf(part);
  const idleAbort = new AbortController();
  let timer = setTimeout(() => idleAbort.abort(), IDLE_MS);
  let handle: FileHandle | undefined;
  try {
    const response = await fetch(download.url, {
      headers: received > 0 ? { range: `bytes=${received}-` } : {},
      signal: idleAbort.signal,
    });
    // The part file is longer than the file, so it belongs to a different one.
    if (response.status === 416) {
      await rm(part, { force: true });
      return 0;
    }
    if (!response.ok || !response.body) throw refusal(response.status, download);
    handle = await openPart(response, part, received);
    received = await sizeOf(part);
    for await (const chunk of response.body) {
      clearTimeout(timer);
      timer = setTimeout(() => idleAbort.abort(), IDLE_MS);
      await handle.appendFile(chunk);
      received += chunk.length;
      if (received > download.bytes) throw new ModelError(wrongFile(download));
      download.onProgress?.(received);
    }
    return received;
  } finally {
    clearTimeout(timer);
    idleAbort.abort();
    await handle?.close();
  }
}

const wrongFile = ({ url }: Download) =>
  `${new URL(url).host} sent a different file: its size or SHA-256 checksum does not match. It was removed.`;

const unreachable = (download: Download, error: unknown) =>
  new ModelError(
    `${new URL(download.url).host} cannot be reached from this machine, or keeps dropping the connection (${codeOf(error) ?? (error as Error)?.message ?? 'no data'}). What was downloaded is kept: run this again later. If you can't reach it, use another address with --from, or put the file at ${download.file} yourself.`,
  );

async function fetchAll(download: Download, part: string): Promise<void> {
  let received = await sizeOf(part);
  let failure: unknown;
  for (let idle = 0; received < download.bytes; ) {
    const before = received;
    try {
      received = await connection(download, part);
    } catch (error) {
      const known = error instanceof ModelError ? error : diskError(error, download);
      if (known) throw known;
      failure = error;
      received = await sizeOf(part);
    }
    idle = received > before ? 0 : idle + 1;
    if (idle >= TRIES) throw unreachable(download, failure);
    if (received < download.bytes) await pause((download.pauseMs ?? 1_000) * Math.max(1, idle));
  }
}

/** Whether the file exists with the expected size and checksum. */
export async function isComplete({ file, bytes, sha256 }: Download): Promise<boolean> {
  return (await sizeOf(file)) === bytes && (await sumOf(file)) === sha256;
}

/** Continues an interrupted download. @throws ModelError with a message for the operator */
export async function downloadFile(download: Download): Promise<void> {
  const { file, bytes, sha256 } = download;
  const part = partOf(file);
  try {
    await mkdir(dirname(file), { recursive: true });
    await fetchAll(download, part);
    if ((await sizeOf(part)) !== bytes || (await sumOf(part)) !== sha256)
      throw new ModelError(wrongFile(download));
    await rename(part, file);
  } catch (error) {
    if (error instanceof ModelError && error.message === wrongFile(download)) await rm(part, { force: true });
    throw diskError(error, download) ?? error;
  }
}
