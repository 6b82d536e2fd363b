import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { eventually } from '../support/server.ts';

/** Why no bare machine can be made here; null if it can. */
export const noMachine = (() => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux';
  const missing = ['debootstrap', 'unshare', 'nsenter', 'ip'].filter((name) => !hasProgram(name));
  if (missing.length > 0) return `needs ${missing.join(', ')}`;
  return null;
})();

export function hasProgram(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
}

const SUITE = 'bookworm';
const CACHE = resolve(import.meta.dirname, '../../.cache/deploy', SUITE);
const MEMORY_GROUP = '/sys/fs/cgroup/memory';

/** Returns the folder of a minimal Debian like a new server's, without Node or a compiler; built once. */
function baseSystem(): string {
  if (existsSync(join(CACHE, 'etc/debian_version'))) return CACHE;
  rmSync(CACHE, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  execFileSync('debootstrap', ['--variant=minbase', SUITE, CACHE], { stdio: 'ignore' });
  return CACHE;
}

export interface Machine {
  root: string;
  address: string;
  /** Runs a line as root with the machine's own network or the host's (`outer`); returns its output. */
  run(line: string, network?: 'own' | 'outer'): Promise<string>;
  /** Memory in use in MB, without the page cache, and how many processes the OOM killer ended; null without a limit. */
  memory(): { usedMb: number; failures: number } | null;
  remove(): Promise<void>;
}

let count = 0;

/**
 * Starts a copy of the base system with separate processes, network and memory. systemd does not run in it:
 * tests/deploy/systemctl.sh replaces `systemctl`.
 */
export async function startMachine(memoryBytes: number): Promise<Machine> {
  const root = mkdtempSync(join(tmpdir(), 'site-machine-'));
  chmodSync(root, 0o755);
  cpSync(baseSystem(), root, { recursive: true, verbatimSymlinks: true });
  for (const name of ['null', 'zero', 'random', 'urandom', 'tty'])
    execFileSync('cp', ['-a', `/dev/${name}`, join(root, 'dev/')]);
  const shim = join(root, 'usr/local/sbin/systemctl');
  cpSync(resolve(import.meta.dirname, 'systemctl.sh'), shim);
  // Keeps packages from starting services on installation.
  writeFileSync(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n');
  chmodSync(join(root, 'usr/sbin/policy-rc.d'), 0o755);
  cpSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'));

  const id = `${process.pid}${count++}`;
  const group = join(MEMORY_GROUP, `site-machine-${id}`);
  const limited = existsSync(join(MEMORY_GROUP, 'memory.limit_in_bytes'));
  if (limited) {
    mkdirSync(group);
    writeFileSync(join(group, 'memory.limit_in_bytes'), String(memoryBytes));
  }
  const init = spawn(
    'unshare',
    [
      '--net',
      '--pid',
      '--mount',
      '--uts',
      '--fork',
      '--kill-child',
      `--mount-proc=${root}/proc`,
      'sleep',
      'infinity',
    ],
    { stdio: 'ignore' },
  );
  const initPid = await eventually(async () =>
    readFileSync(`/proc/${init.pid}/task/${init.pid}/children`, 'utf8').trim(),
  );
  const [outer, inner] = [`10.231.${count}.1`, `10.231.${count}.2`];
  const link = `vm${id}`.slice(0, 14);
  const shell = (line: string) => execFileSync('sh', ['-ec', line]);
  shell(
    `ip link add ${link} type veth peer name eth0 netns ${initPid}; ip addr add ${outer}/30 dev ${link}; ip link set ${link} up;` +
      `nsenter -t ${initPid} -n sh -ec 'ip link set lo up; ip addr add ${inner}/30 dev eth0; ip link set eth0 up'`,
  );

  const run: Machine['run'] = (line, network = 'own') =>
    new Promise((done, fail) => {
      const enterGroup = limited ? `echo $$ >${group}/cgroup.procs;` : '';
      const enter = `exec nsenter -t ${initPid} -p -m -u ${network === 'own' ? '-n' : ''} chroot ${root}`;
      const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
      const command = `env -i HOME=/root PATH=${PATH} DEBIAN_FRONTEND=noninteractive sh -ec "$1"`;
      execFile(
        'sh',
        ['-ec', `${enterGroup} ${enter} ${command}`, 'sh', `cd; ${line}`],
        { maxBuffer: 1e8 },
        (error, stdout, stderr) =>
          error ? fail(new Error(`${line}\n${stdout}${stderr}`)) : done(stdout + stderr),
      );
    });

  return {
    root,
    address: inner,
    run,
    memory() {
      if (!limited) return null;
      const figure = (file: string, name: string) =>
        Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(readFileSync(join(group, file), 'utf8'))?.[1] ?? 0);
      return {
        usedMb: Math.round((figure('memory.stat', 'total_rss') + figure('memory.stat', 'total_shmem')) / 1e6),
        failures: figure('memory.oom_control', 'oom_kill'),
      };
    },
    async remove() {
      init.kill('SIGKILL');
      await eventually(async () => !existsSync(`/proc/${initPid}`));
      if (limited) {
        await eventually(async () => readFileSync(join(group, 'cgroup.procs'), 'utf8') === '');
        execFileSync('rmdir', [group]);
      }
      rmSync(root, { recursive: true, force: true });
    },
  };
}
