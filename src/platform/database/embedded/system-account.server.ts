import type { Stats } from 'node:fs';
import { chmod, lchown, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';

/** The account that PostgreSQL runs as. It refuses to run as root, so root uses another account. */
export interface SystemAccount {
  uid: number;
  gid: number;
  switched: boolean;
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

export function ownAccount(): SystemAccount {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, switched: false };
}

export async function unprivilegedAccount(): Promise<SystemAccount> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
    const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])];
    // macOS lists nobody as -2; the system call takes an unsigned number.
    if (uid !== 0 && Number.isInteger(uid) && Number.isInteger(gid)) {
      return { uid: uid >>> 0, gid: gid >>> 0, switched: true };
    }
  }
  return { uid: 65534, gid: 65534, switched: true };
}

/** Whether the mode bits of a file give the account all of `required` (4 read, 2 write, 1 enter or run). */
export function permits(file: Stats, account: SystemAccount, required: number): boolean {
  const shift = file.uid === account.uid ? 6 : file.gid === account.gid ? 3 : 0;
  return ((file.mode >> shift) & required) === required;
}

export async function canReach(account: SystemAccount, folder: string): Promise<boolean> {
  if (!account.switched) return true;
  for (let path = folder; ; path = dirname(path)) {
    if (!permits(await stat(path), account, 1)) return false;
    if (path === dirname(path)) return true;
  }
}

export async function allowTraversal(folder: string, { gid }: Pick<SystemAccount, 'gid'>): Promise<void> {
  await lchown(folder, (await stat(folder)).uid, gid);
  await chmod(folder, 0o710);
}

export async function chownTree(folder: string, account: SystemAccount): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await chownTree(path, account);
    else await lchown(path, account.uid, account.gid);
  }
  await lchown(folder, account.uid, account.gid);
}
