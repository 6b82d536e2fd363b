import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { releaseRoot } from '#platform/config/project-root.server.ts';
import { log } from '#platform/log.server.ts';

/** Number of last output characters to report: enough to show why it failed. */
const TOLD = 500;

/** Makes the daily backup in a separate process, so that compression does not slow down requests. */
export async function backupOfTheDay(): Promise<void> {
  const child = spawn(process.execPath, [join(releaseRoot, 'server/backup.js')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => child.kill();
  process.once('exit', end);
  let told = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      told = (told + bytes.toString()).slice(-TOLD);
    });
  await once(child, 'close');
  process.off('exit', end);
  if (child.exitCode !== 0) {
    log.error({ told: told.trim() }, 'the daily backup failed');
    throw new Error('The backup failed.');
  }
  log.info({ told: told.trim() }, 'the daily backup was made');
}
