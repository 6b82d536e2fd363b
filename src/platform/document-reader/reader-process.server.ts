import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { lowerPriority } from '../child-program.server.ts';
import { releaseRoot } from '../config/project-root.server.ts';
import type { HeicTask, ReaderTask } from './reader-protocol.ts';

/** Limit for `ulimit -d`; 700,000 is too little for Node 24 itself. Resident memory stays below 1 GB. */
const DATA_KIB = 1_000_000;
/** For 48 million pixels of four bytes, and their sources: 0.5 GB of resident memory, and more address space. */
const PICTURE_DATA_KIB = 1_600_000;
const RESIDENT_KIB = 900_000;
const WATCH_MS = 200;
const PASSWORD_FD = 3;

/** No core dump, no files, no endless CPU use even if the parent is gone; `exec` keeps the process id. */
const limitedShell = (kib: number) =>
  `ulimit -c 0; ulimit -f 0; ulimit -t 60; ulimit -d ${kib}; exec "$0" "$@"`;

/** The folder of the library, the only one besides its own program that the reading process may read. */
const library = (name: 'pdfjs-dist' | 'libheif-js') =>
  realpathSync(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)));

function watchMemory(child: ChildProcess): void {
  const timer = setInterval(() => {
    execFile('ps', ['-o', 'rss=', '-p', String(child.pid)], (_, resident) => {
      if (Number(resident) > RESIDENT_KIB) child.kill('SIGKILL');
    });
  }, WATCH_MS).unref();
  child.once('exit', () => clearInterval(timer));
}

export type Reader = ChildProcess & { stdout: Readable };

/** Moderate, because somebody is waiting for the document. */
const NICENESS = 5;

/** Starts a process without environment, file system (except its program), threads, native code or child processes. */
export function startProcess(
  task: object,
  stdio: SpawnOptions['stdio'],
  platform = process.platform,
  name = 'document-reader',
): ChildProcess {
  const program = join(releaseRoot, 'server');
  const args = [
    '--permission',
    `--allow-fs-read=${program}/*`,
    ...('library' in task ? [`--allow-fs-read=${task.library}/*`] : []),
    '--disallow-code-generation-from-strings',
    join(program, `${name}.js`),
    JSON.stringify(task),
  ];
  const options: SpawnOptions = { cwd: '/', env: {}, stdio };
  const byShell = platform === 'linux';
  const child = byShell
    ? spawn(
        '/bin/sh',
        ['-c', limitedShell('heic' in task ? PICTURE_DATA_KIB : DATA_KIB), process.execPath, ...args],
        options,
      )
    : spawn(process.execPath, args, options);
  if (!byShell) watchMemory(child);
  lowerPriority(child, NICENESS);
  return child;
}

export function startReader(
  input: number,
  options: Omit<ReaderTask, 'library' | 'passwordFrom'>,
  platform = process.platform,
  password?: string,
): Reader {
  const task: ReaderTask = { library: library('pdfjs-dist'), ...options };
  if (password !== undefined) task.passwordFrom = PASSWORD_FD;
  const pipes = password === undefined ? [] : ['pipe' as const];
  const child = startProcess(task, [input, 'pipe', 'ignore', ...pipes], platform);
  if (password !== undefined) {
    const pipe = child.stdio[PASSWORD_FD] as Writable;
    // The process may have ended before it read the password.
    pipe.on('error', () => undefined).end(password);
  }
  if (!child.stdout) throw new Error('The reader of documents has no output.');
  return Object.assign(child, { stdout: child.stdout });
}

/** Decodes a HEIC image; its pixels follow a line that describes them. */
export function startHeicReader(input: number): Reader {
  const task: HeicTask = { library: library('libheif-js'), heic: true };
  const child = startProcess(task, [input, 'pipe', 'ignore']);
  if (!child.stdout) throw new Error('The reader of images has no output.');
  return Object.assign(child, { stdout: child.stdout });
}
