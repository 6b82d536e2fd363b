import { mkdirSync, statfsSync } from 'node:fs';
import process from 'node:process';
import { ModelError } from './model-error.ts';

/** Available memory and disk space, in bytes. */
export interface Machine {
  memory: number;
  disk: number;
}

/** Size of the runtime on disk. */
export const RUNTIME_BYTES = 120_000_000;

/** Returns the memory still available to programs, within a container's limit, and the free disk space of `folder`. */
export function thisMachine(folder: string): Machine {
  mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = statfsSync(folder);
  return { memory: process.availableMemory(), disk: bavail * bsize };
}

export const inGigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** Called before any download. @throws ModelError if memory or disk space is too small */
export function checkCapacity(
  machine: Machine,
  needed: Machine,
  { name, smaller }: { name: string; smaller: { name: string; memory: number } | null },
): void {
  if (machine.memory < needed.memory) {
    const fits = smaller && machine.memory >= smaller.memory;
    throw new ModelError(
      `${name} needs ${inGigabytes(needed.memory)} of memory, but only ${inGigabytes(machine.memory)} is free. Nothing was downloaded. ` +
        (fits
          ? `npm run model -- --small installs ${smaller.name}, which needs ${inGigabytes(smaller.memory)}.`
          : 'Close other programs, or use a model elsewhere (LLM_BASE_URL).'),
    );
  }
  if (machine.disk < needed.disk)
    throw new ModelError(
      `${name} needs ${inGigabytes(needed.disk)} on the disk of DATA_DIR, but only ${inGigabytes(machine.disk)} is free. Nothing was downloaded.`,
    );
}
