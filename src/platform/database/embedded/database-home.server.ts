import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  lchown,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { codeOf, EmbeddedDatabaseError } from './embedded-error.server.ts';
import {
  allowTraversal,
  canReach,
  chownTree,
  isRoot,
  ownAccount,
  type SystemAccount,
  unprivilegedAccount,
} from './system-account.server.ts';

export interface DatabaseHome {
  folder: string;
  cluster: string;
  account: SystemAccount;
}

/** If root's unprivileged account cannot enter DATA_DIR (a 0700 home, say), its `postgres.location` names a folder. */
export async function openDatabaseHome(options: {
  dataDir: string;
  major: string;
  log: (line: string) => void;
}) {
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  const storedFolder = await readLocation(dataDir);
  const defaultFolder = join(dataDir, 'postgres');
  const account = isRoot()
    ? await accountForRoot(join(storedFolder ?? defaultFolder, options.major))
    : ownAccount();
  const chosen = storedFolder ?? (await chooseFolder(dataDir, defaultFolder, account, options.log));
  await mkdir(chosen, { recursive: true, mode: 0o700 });
  const folder = await realpath(chosen);
  const home: DatabaseHome = { folder, cluster: join(folder, options.major), account };
  await takeOwnership(home);
  await rejectOtherVersion(home, options.major);
  return home;
}

/** The owner of an existing cluster stays its account, so that data created earlier by a plain user keeps working. */
async function accountForRoot(cluster: string): Promise<SystemAccount> {
  const stats = await lstat(cluster).catch(() => undefined);
  if (stats !== undefined && stats.uid !== 0) return { uid: stats.uid, gid: stats.gid, switched: true };
  return unprivilegedAccount();
}

async function chooseFolder(
  dataDir: string,
  defaultFolder: string,
  account: SystemAccount,
  log: (line: string) => void,
) {
  if (await canReach(account, dataDir)) return defaultFolder;
  if (isRoot() && (await canReach(account, dirname(dataDir)))) {
    await allowTraversal(dataDir, account);
    return defaultFolder;
  }
  if ((await readdir(defaultFolder).catch(() => [])).some((name) => /^\d+$/.test(name))) {
    throw new EmbeddedDatabaseError(
      `The database in ${defaultFolder} runs as user ${account.uid}, who can no longer enter ${dataDir}. ` +
        'Allow that user to enter the folder and those above it (chmod o+x).',
    );
  }
  const folder = await createExternalFolder(dataDir, account);
  await writeLocation(dataDir, folder);
  log(`database: user ${account.uid} cannot enter ${dataDir}, so its files are in ${folder}`);
  return folder;
}

async function createExternalFolder(dataDir: string, account: SystemAccount): Promise<string> {
  const name = `embedded-postgres-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
  for (const base of ['/var/lib', '/var/tmp', tmpdir()]) {
    const reachable = await realpath(base)
      .then((real) => canReach(account, real))
      .catch(() => false);
    if (!reachable) continue;
    // A folder that already holds data belongs to a deleted DATA_DIR and is left alone.
    for (let count = 1; count < 1000; count += 1) {
      const folder = join(base, count === 1 ? name : `${name}-${count}`);
      if (await claimEmpty(folder, account)) return folder;
    }
  }
  throw new EmbeddedDatabaseError(`There is no folder that user ${account.uid} can use for the database.`);
}

async function claimEmpty(folder: string, account: SystemAccount): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return false;
  }
  const stats = await lstat(folder);
  if (!stats.isDirectory() || (stats.uid !== account.uid && stats.uid !== 0)) return false;
  return !(await readdir(folder)).some((entry) => /^\d+$/.test(entry));
}

async function readLocation(dataDir: string): Promise<string | undefined> {
  const [folder, writtenFor] = (await locationLines(dataDir)) ?? [];
  if (folder === undefined) return undefined;
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
    throw new EmbeddedDatabaseError(
      `${join(dataDir, 'postgres.location')} says that the database is in ${folder}, which is missing. ` +
        'Restore that folder, or delete the file to start with an empty database.',
    );
  }
  if (writtenFor !== dataDir) {
    if (writtenFor !== undefined && (await locationLines(writtenFor))?.[0] === folder) {
      throw new EmbeddedDatabaseError(
        `${dataDir} is a copy of ${writtenFor}, whose database is in ${folder}. ` +
          'Delete postgres.location in the copy to give it its own empty database.',
      );
    }
    await writeLocation(dataDir, folder);
  }
  return folder;
}

/** Line 1 is the folder, line 2 the DATA_DIR it was made for, which distinguishes a moved DATA_DIR from a copy. */
async function locationLines(dataDir: string): Promise<string[] | undefined> {
  const text = await readFile(join(dataDir, 'postgres.location'), 'utf8').catch((error: unknown) => {
    // A process that may not read the file must not start with an empty database.
    if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) throw error;
    return '';
  });
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.length === 0 ? undefined : lines;
}

async function writeLocation(dataDir: string, folder: string): Promise<void> {
  const draft = join(dataDir, `postgres.location.${randomBytes(4).toString('hex')}`);
  await writeFile(draft, `${folder}\n${dataDir}\n`, { mode: 0o600 });
  await rename(draft, join(dataDir, 'postgres.location'));
}

/** PostgreSQL starts only on data of its own user with mode 0700. Root repairs that; a plain user gets an error. */
async function takeOwnership({ folder, cluster, account }: DatabaseHome): Promise<void> {
  for (const path of [folder, cluster]) {
    const stats = await lstat(path).catch(() => undefined);
    if (stats === undefined) continue;
    if (stats.uid !== account.uid) {
      if (!account.switched) {
        throw new EmbeddedDatabaseError(
          `${path} belongs to user ${stats.uid}, but this is user ${account.uid}. ` +
            'Start as that user, or take ownership of the folder (chown -R).',
        );
      }
      if (path === cluster) await chownTree(path, account);
      else await lchown(path, account.uid, account.gid);
    }
    // PostgreSQL itself refuses these bits: any access for others, write access for the group.
    if ((stats.mode & 0o027) !== 0) await chmod(path, 0o700);
  }
}

async function rejectOtherVersion({ folder, cluster }: DatabaseHome, major: string): Promise<void> {
  const versions = (await readdir(folder)).filter((name) => /^\d+$/.test(name));
  if (versions.length === 0 || versions.includes(major)) return;
  throw new EmbeddedDatabaseError(
    `The data in ${folder} was created by PostgreSQL ${versions.join(', ')}, but this is ${major}. ` +
      `Start the earlier release to export it, or move it away to start with an empty database in ${cluster}.`,
  );
}
