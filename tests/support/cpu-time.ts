import { threadCpuUsage } from 'node:process';

/** Returns the milliseconds of CPU time that `work` takes in this thread; the machine's other work is not counted. */
export function cpuTime(work: () => void): number {
  const start = threadCpuUsage();
  work();
  const { user, system } = threadCpuUsage(start);
  return (user + system) / 1000;
}
