import { readFileSync } from 'node:fs';

/** Clock ticks per second in /proc/PID/stat on Linux. */
const TICKS = 100;

const lastSeconds = new Map<number, number>();

/** Returns the user and system CPU seconds of a process; the last known value when it has ended. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    lastSeconds.set(pid, (Number(fields[11]) + Number(fields[12])) / TICKS);
  } catch {
    // A database connection that was closed meanwhile.
  }
  return lastSeconds.get(pid) ?? 0;
}

/** Returns the resident memory of a process in MB: now, and at its peak. */
export function memoryMb(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

/** Returns the value at a share (0 to 1) of the sorted values. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const round = (value: number, digits = 1) => Number(value.toFixed(digits));
