import { mkdirSync, statfsSync } from 'node:fs';
import process from 'node:process';
import { ModelError } from './model-error.ts';

/** What a machine has to give, in bytes. */
export interface Machine {
  memory: number;
  disk: number;
}

/** Of the runtime. */
export const RUNTIME_BYTES = 120_000_000;

/** Memory that programs can still have, within the bounds of a container; room on the disk of `folder`. */
export function thisMachine(folder: string): Machine {
  mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = statfsSync(folder);
  return { memory: process.availableMemory(), disk: bavail * bsize };
}

export const inGigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** @throws ModelError before anything is fetched */
export function checkRoom(
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
