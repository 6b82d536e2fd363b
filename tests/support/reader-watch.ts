import { readFileSync } from 'node:fs';
import type { TestServer } from './server.ts';

/** Returns a value of /proc/PID/status in MB; 0 when the process is gone. */
export function memoryOf(pid: number | undefined, line: 'VmRSS' | 'VmHWM'): number {
  try {
    // The status of an exiting process has no memory lines.
    const found = new RegExp(`${line}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(found?.[1] ?? 0) / 1000;
  } catch {
    return 0;
  }
}

/** Returns the pids of the document readers that the server has started. */
export function readerPids(server: Pick<TestServer, 'process'>): number[] {
  const pid = server.process.pid ?? 0;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  return children.filter((child) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('document-reader.js');
    } catch {
      return false;
    }
  });
}

interface Measurements {
  healthMs: number[];
  /** Largest memory seen, in MB. */
  server: number;
  reader: number;
  readersAtOnce: number;
}

/** Requests /healthz and measures the memory of the server and its readers until `work` has settled. */
export async function measureDuring(server: TestServer, work: Promise<unknown>): Promise<Measurements> {
  const measured: Measurements = { healthMs: [], server: 0, reader: 0, readersAtOnce: 0 };
  let settled = false;
  void work.finally(() => {
    settled = true;
  });
  while (!settled) {
    const requestedAt = performance.now();
    await (await fetch(`${server.url}/healthz`)).arrayBuffer();
    measured.healthMs.push(performance.now() - requestedAt);
    const pids = readerPids(server);
    measured.readersAtOnce = Math.max(measured.readersAtOnce, pids.length);
    measured.reader = Math.max(measured.reader, ...pids.map((pid) => memoryOf(pid, 'VmHWM')));
    measured.server = Math.max(measured.server, memoryOf(server.process.pid, 'VmRSS'));
  }
  return measured;
}

export const percentile = (values: number[], share: number) =>
  values.sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
