/** JSON files are written to a temporary file and renamed, so that a reader never sees a partial one. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const PRIVATE = { mode: 0o600 };
let serial = 0;

const tempName = (path: string) => `${path}.${process.pid}.${++serial}.part`;

export function makeFolder(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
}

export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  const tempPath = tempName(path);
  await writeFile(tempPath, JSON.stringify(value), PRIVATE);
  await rename(tempPath, path);
}

export function writeJsonFileSync(path: string, value: unknown): void {
  makeFolder(dirname(path));
  const tempPath = tempName(path);
  writeFileSync(tempPath, JSON.stringify(value), PRIVATE);
  renameSync(tempPath, path);
}

/**
 * Writes a snapshot after `delayMs` without changes, but at most `maxDelayMs` after the first change: writing the log on
 * every request would disturb streams.
 */
export class JsonMirror {
  readonly #path: string;
  readonly #snapshot: () => unknown;
  readonly #delayMs: number;
  readonly #maxDelayMs: number;
  #timer: NodeJS.Timeout | null = null;
  #firstChange = 0;
  #changed = 0;
  #written = 0;

  constructor(path: string, snapshot: () => unknown, delayMs = 500, maxDelayMs = 10_000) {
    this.#path = path;
    this.#snapshot = snapshot;
    this.#delayMs = delayMs;
    this.#maxDelayMs = maxDelayMs;
    makeFolder(dirname(path));
  }

  touch(): void {
    this.#changed += 1;
    const now = Date.now();
    if (this.#timer) {
      if (now - this.#firstChange + this.#delayMs < this.#maxDelayMs) this.#timer.refresh();
      return;
    }
    this.#firstChange = now;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#write().catch((error: unknown) =>
        process.stderr.write(`stand-ins: cannot write ${this.#path}: ${String(error)}\n`),
      );
    }, this.#delayMs);
  }

  async #write(): Promise<void> {
    const version = this.#changed;
    const tempPath = tempName(this.#path);
    await writeFile(tempPath, JSON.stringify(this.#snapshot()), PRIVATE);
    // If a flush finished during this write, the file on disk is newer.
    if (this.#written >= version) return rmSync(tempPath, { force: true });
    renameSync(tempPath, this.#path);
    this.#written = version;
  }

  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#written >= this.#changed) return;
    this.#written = this.#changed;
    writeJsonFileSync(this.#path, this.#snapshot());
  }
}
