import { randomUUID } from 'node:crypto';
import { readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { type Finding, ok, wrong } from './finding.ts';

const NODE_MAJOR = 24;
/** With less, a few large uploads can fill the disk and stop the database. */
const MIN_FREE_BYTES = 1024 ** 3;

const gigabytes = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GB`;

export function checkNode(version = process.versions.node): Finding {
  const major = Number(version.split('.')[0]);
  return major >= NODE_MAJOR
    ? ok('Node', version)
    : wrong('Node', `${version} is too old. Install Node ${NODE_MAJOR}, or run npm install to get it.`);
}

async function nearestFolder(folder: string): Promise<string> {
  const stats = await stat(folder).catch(() => null);
  return stats || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

/** Does not create the folder: if it is missing, checks its nearest existing parent. */
export async function checkStorage(dataDir: string): Promise<Finding[]> {
  const folder = await nearestFolder(dataDir);
  const probe = join(folder, `.doctor-${randomUUID()}`);
  try {
    await writeFile(probe, 'doctor', { flag: 'wx', mode: 0o600 });
    if ((await readFile(probe, 'utf8')) !== 'doctor') throw new Error('read');
  } catch (error) {
    const { code = 'unreadable' } = error as { code?: string };
    return [
      wrong(
        'Storage',
        `Can't write to ${folder} (${code}). Give this user write access, or set DATA_DIR to another folder.`,
      ),
    ];
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  return [
    ok(
      'Storage',
      folder === dataDir ? `${dataDir} is writable.` : `${dataDir} will be created at the first start.`,
    ),
    free >= MIN_FREE_BYTES
      ? ok('Disk', `${gigabytes(free)} free.`)
      : wrong('Disk', `Only ${gigabytes(free)} free. Free up space, or move DATA_DIR to a larger disk.`),
  ];
}
