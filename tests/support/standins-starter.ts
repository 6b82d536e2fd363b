import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const STARTER = resolve(import.meta.dirname, '../../standins/starter.ts');

/** Starts the process that runs the stand-ins of all servers; `startTestServer` reads its port from TEST_STANDINS. */
export async function startStandInsStarter(): Promise<{ stop(): Promise<void> }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [STARTER], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH, NODE_COMPILE_CACHE },
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  process.env.TEST_STANDINS = String((JSON.parse(line) as { port: number }).port);
  return {
    async stop() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}
