import { threadCpuUsage } from 'node:process';

/** Milliseconds of this thread's own time that `work` takes: what else the machine does is not counted. */
export function cpuTime(work: () => void): number {
  const begun = threadCpuUsage();
  work();
  const { user, system } = threadCpuUsage(begun);
  return (user + system) / 1000;
}
