import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modelFolder } from '#platform/config/local-model.server.ts';
import { eventually } from '#tests/support/server.ts';
import { catalogue } from './catalogue.ts';
import { downloadFile, partOf } from './download.ts';
import { setUpFile, setUpModel } from './set-up.ts';

const bytes = 300_000;
const content = randomBytes(bytes);
const sha256 = createHash('sha256').update(content).digest('hex');

type Answer = (req: IncomingMessage, res: ServerResponse, from: number) => unknown;

let folder: string;
let file: string;
let hub: Server;
let url: string;
let ranges: (string | undefined)[];
/** Answers to the next requests; the last one is repeated. */
let answers: Answer[];

/** Sends the whole file or the requested range, as model hubs do. */
const sendAll: Answer = (_req, res, from) => {
  const headers = { 'content-length': bytes - from, 'content-range': `bytes ${from}-${bytes - 1}/${bytes}` };
  res.writeHead(from > 0 ? 206 : 200, headers).end(content.subarray(from));
};
/** Announces the whole length, sends the bytes up to `end`, and closes the connection once they are on disk. */
const cutAt =
  (end: number): Answer =>
  async (_req, res, from) => {
    res.writeHead(from > 0 ? 206 : 200, {
      'content-length': bytes - from,
      'content-range': `bytes ${from}-${bytes - 1}/${bytes}`,
    });
    res.write(content.subarray(from, end));
    await eventually(async () => statSync(partOf(file)).size >= end);
    res.destroy();
  };
const status =
  (code: number): Answer =>
  (_req, res) =>
    void res.writeHead(code).end();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'model-'));
  file = join(folder, 'model.gguf');
  ranges = [];
  answers = [sendAll];
  hub = createServer((req, res) => {
    ranges.push(req.headers.range);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(req, res, Number(/^bytes=(\d+)-$/.exec(req.headers.range ?? '')?.[1] ?? 0));
  });
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(hub.address() as AddressInfo).port}/model.gguf`;
});
afterEach(() => {
  hub.close();
  hub.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

const download = (options: object = {}) => downloadFile({ url, file, bytes, sha256, pauseMs: 0, ...options });

describe('the download of a model', () => {
  it('writes the file once it is complete, and reports progress', async () => {
    const seen: number[] = [];
    await download({ onProgress: (received: number) => seen.push(received) });
    expect(readFileSync(file).equals(content)).toBe(true);
    expect(readdirSync(folder)).toEqual(['model.gguf']);
    expect(seen.at(-1)).toBe(bytes);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  it('resumes after an interruption, both by itself and in a later run', async () => {
    answers = [cutAt(100_000), cutAt(200_000), sendAll];
    await download();
    expect(readFileSync(file).equals(content)).toBe(true);
    expect(ranges).toEqual([undefined, 'bytes=100000-', 'bytes=200000-']);

    rmSync(file);
    writeFileSync(partOf(file), content.subarray(0, 1_000));
    answers = [sendAll];
    await download();
    expect(ranges.at(-1)).toBe('bytes=1000-');
    expect(readFileSync(file).equals(content)).toBe(true);
  });

  it('starts again if the server does not support ranges, or the partial file is too long', async () => {
    writeFileSync(partOf(file), content.subarray(0, 1_000));
    answers = [(_req, res) => void res.writeHead(200).end(content)];
    await download();
    expect(readFileSync(file).equals(content)).toBe(true);

    rmSync(file);
    writeFileSync(partOf(file), content.subarray(0, 1_000));
    answers = [status(416), sendAll];
    await download();
    expect(readFileSync(file).equals(content)).toBe(true);
  });

  it('gives up after several connections without data, and keeps what it has', async () => {
    answers = [cutAt(100_000), (_req, res) => res.destroy()];
    await expect(download()).rejects.toThrow(
      /cannot be reached.*What was downloaded is kept: run this again later/,
    );
    expect(existsSync(file)).toBe(false);
    expect(readFileSync(partOf(file)).equals(content.subarray(0, 100_000))).toBe(true);
    answers = [sendAll];
    await download();
    expect(readFileSync(file).equals(content)).toBe(true);
  });

  it.each([
    ['other content of the same length', Buffer.from(content).reverse()],
    ['a longer file', Buffer.concat([content, content])],
  ])('never leaves %s under the final name, and removes it', async (_, sent) => {
    answers = [(_req, res) => void res.writeHead(200).end(sent)];
    await expect(download()).rejects.toThrow(/sent a different file/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [401, /refused the download \(status 401\)/],
    [404, /no longer has the file/],
    [503, /returned status 503. Try again later/],
  ])('explains status %i, and asks only once', async (code, sentence) => {
    answers = [status(code)];
    await expect(download()).rejects.toThrow(sentence);
    expect(ranges).toHaveLength(1);
    expect(existsSync(file)).toBe(false);
  });

  it.runIf(existsSync('/dev/full'))('reports a full disk, and resumes later', async () => {
    symlinkSync('/dev/full', partOf(file));
    await expect(download()).rejects.toThrow(/The disk with .* is full. What was downloaded is kept/);
    expect(existsSync(file)).toBe(false);
    rmSync(partOf(file));
    await download();
    expect(readFileSync(file).equals(content)).toBe(true);
  });
});

describe('npm run model', () => {
  const output: string[] = [];
  const plenty = { memory: 64e9, disk: 64e9 };
  let installed: number;
  beforeEach(() => {
    output.length = 0;
    installed = 0;
  });
  const setting = (machine = plenty) => ({
    folder: modelFolder(folder),
    port: 11_500,
    machine,
    runtimeBytes: 1_000_000,
    print: (line: string) => void output.push(line),
    install: async () => {
      installed += 1;
    },
    pauseMs: 0,
  });
  const model = () => ({ ...catalogue.usual, url, bytes, sha256, smaller: catalogue.small });
  const modelPath = () => join(modelFolder(folder), 'model.gguf');
  const storedSetting = () =>
    JSON.parse(readFileSync(join(modelFolder(folder), 'model.json'), 'utf8')) as object;

  it('writes a setting once everything is installed, and downloads nothing twice', async () => {
    await setUpModel({ ...model(), file: modelPath() }, setting());
    expect(storedSetting()).toEqual({
      id: 'qwen2.5-1.5b-instruct',
      name: 'Qwen2.5 1.5B Instruct',
      licence: 'Apache-2.0',
      file: modelPath(),
      contextTokens: 8192,
      port: 11_500,
    });
    await setUpModel({ ...model(), file: modelPath() }, { ...setting(), port: 11_600 });
    expect(ranges).toHaveLength(1);
    expect(storedSetting()).toMatchObject({ port: 11_600 });
    expect(output.join('\n')).toContain('Apache-2.0');
  });

  it.each([
    [
      'memory',
      { memory: 1.2e9, disk: 64e9 },
      /needs 1.9 GB of memory, but only 1.2 GB is free.*--small installs/,
    ],
    ['any memory', { memory: 0.3e9, disk: 64e9 }, /Close other programs, or use a model elsewhere/],
    ['disk', { memory: 64e9, disk: 1e6 }, /on the disk of DATA_DIR, but only 0.0 GB is free/],
  ])('reports too little %s before it downloads anything', async (_, machine, sentence) => {
    await expect(setUpModel({ ...model(), file: modelPath() }, setting(machine))).rejects.toThrow(sentence);
    expect([ranges.length, installed]).toEqual([0, 0]);
    expect(existsSync(modelPath())).toBe(false);
  });

  it('writes no setting if the download fails', async () => {
    answers = [status(404)];
    await expect(setUpModel({ ...model(), file: modelPath() }, setting())).rejects.toThrow(
      /no longer has the file/,
    );
    expect(existsSync(join(modelFolder(folder), 'model.json'))).toBe(false);
  });

  it('uses a file of the operator unchanged', async () => {
    writeFileSync(file, content);
    await setUpFile({ file, name: 'own', contextTokens: 4096 }, setting());
    expect(storedSetting()).toMatchObject({ id: 'own', file, contextTokens: 4096 });
    expect(ranges).toEqual([]);
    await expect(
      setUpFile({ file: join(folder, 'none.gguf'), name: 'none', contextTokens: 4096 }, setting()),
    ).rejects.toThrow(/There is no file/);
  });
});
