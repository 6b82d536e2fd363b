import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { LocalModel } from '#platform/config/local-model.server.ts';
import type { CatalogueModel } from './catalogue.ts';
import { downloadFile, isComplete } from './download.ts';
import { checkCapacity, inGigabytes, type Machine } from './machine.ts';
import { ModelError } from './model-error.ts';
import { installRuntime } from './runtime.ts';

interface Setting {
  /** DATA_DIR/model. */
  folder: string;
  port: number;
  machine: Machine;
  runtimeBytes: number;
  print: (line: string) => void;
  install?: (folder: string) => Promise<void>;
  pauseMs?: number;
}

/** Must be the last step, so that a start finds a complete model or none. */
function writeSetting(folder: string, model: LocalModel): void {
  const file = join(folder, 'model.json');
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(model, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

async function ensureRuntime({ folder, print, install = installRuntime }: Setting): Promise<void> {
  print('Installing the runtime (node-llama-cpp, MIT) if it is missing.');
  await install(folder);
}

/** Shows progress: one counting line on a terminal, otherwise one line per 10%. */
function progress(bytes: number, print: (line: string) => void): (received: number) => void {
  const isTerminal = process.stderr.isTTY === true;
  let shown = -1;
  return (received) => {
    const part = Math.floor((received / bytes) * (isTerminal ? 1000 : 10));
    if (part === shown) return;
    shown = part;
    const line = `  ${inGigabytes(received)} of ${inGigabytes(bytes)} (${Math.floor((received / bytes) * 100)} %)`;
    if (isTerminal) process.stderr.write(`\r${line}${received >= bytes ? '\n' : ''}`);
    else print(line);
  };
}

/** Checks the machine's memory and disk, then downloads what is missing. @throws ModelError */
export async function setUpModel(
  model: CatalogueModel & { file: string; smaller: CatalogueModel | null },
  setting: Setting,
): Promise<void> {
  const { folder, port, machine, runtimeBytes, print, pauseMs } = setting;
  const { id, name, licence, url, bytes, sha256, file, contextTokens, memory, smaller } = model;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const download = { url, file, bytes, sha256, pauseMs, onProgress: progress(bytes, print) };
  const isPresent = await isComplete(download);
  const disk = isPresent ? 0 : bytes + runtimeBytes;
  checkCapacity(machine, { memory, disk }, { name, smaller });
  await ensureRuntime(setting);
  if (!isPresent) {
    print(`Downloading ${name} (${licence}, ${inGigabytes(bytes)}) from ${new URL(url).host}.`);
    await downloadFile(download);
  }
  writeSetting(folder, { id, name, licence, file, contextTokens, port });
  print(`${name} is installed, and its SHA-256 checksum matches.`);
}

/** Uses the operator's own model file, which is not copied. @throws ModelError */
export async function setUpFile(
  { file, name, contextTokens }: { file: string; name: string; contextTokens: number },
  setting: Setting,
): Promise<void> {
  const { folder, port, machine, runtimeBytes } = setting;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new ModelError(`There is no file ${file}.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The weights, plus about half as much for context and buffers.
  const memory = stats.size * 1.5;
  checkCapacity(machine, { memory, disk: runtimeBytes }, { name, smaller: null });
  await ensureRuntime(setting);
  writeSetting(folder, { id: name, name, licence: '', file, contextTokens, port });
}
