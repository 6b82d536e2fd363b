import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { releaseRoot } from '#platform/config/project-root.server.ts';
import { log } from '#platform/log.server.ts';

/** Number of last output characters to report: enough to show why it failed. */
const MAX_OUTPUT = 500;

/** Makes the daily backup in a separate process, so that compression does not slow down requests. */
export async function runDailyBackup(): Promise<void> {
  const child = spawn(process.execPath, [join(releaseRoot, 'server/backup.js')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => child.kill();
  process.once('exit', end);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output = (output + bytes.toString()).slice(-MAX_OUTPUT);
    });
  await once(child, 'close');
  process.off('exit', end);
  if (child.exitCode !== 0) {
    log.error({ output: output.trim() }, 'the daily backup failed');
    throw new Error('The backup failed.');
  }
  log.info({ output: output.trim() }, 'the daily backup was made');
}
