import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { inProject } from './lib/project.mjs';

// npm omits an optional package from the lockfile if the configured registry cannot resolve it (a mirror with
// only some platforms); `npm ci` then rejects that lockfile everywhere. This script adds the missing entries, and
// the checksums that the configured registry knows. Run it after every change of packages.

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32'];

const file = inProject('package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const added = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(path, name)) continue;
    lock.packages[`node_modules/${name}`] = placeholder(name, range, entry);
    added.push(name);
  }
}
for (const name of packagesWithoutChecksum()) {
  const checksum = checksumOf(name, lock.packages[`node_modules/${name}`].version);
  // A registry with only some platforms knows some of these packages.
  if (checksum !== undefined) lock.packages[`node_modules/${name}`].integrity = checksum;
}
const root = lock.packages[''];
const others = Object.keys(lock.packages).filter((path) => path !== '');
lock.packages = {
  '': root,
  ...Object.fromEntries(others.sort().map((path) => [path, lock.packages[path]])),
};
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
const unknown = packagesWithoutChecksum();
if (unknown.length > 0) {
  console.log(
    `The registry has no checksum for ${unknown.length} packages, such as ${unknown[0]}. Try another registry.`,
  );
}
if (added.length > 0) console.log(`Added to the lockfile: ${added.join(', ')}`);
else if (unknown.length === 0) console.log('The lockfile is complete.');

/** Returns the names of packages without a checksum, which npm could not verify. */
function packagesWithoutChecksum() {
  return Object.keys(lock.packages)
    .filter((path) => path !== '' && !lock.packages[path].integrity)
    .map((path) => path.replace(/^node_modules\//, ''));
}

/** Returns the registry's checksum, or undefined if the registry does not know the package. */
function checksumOf(name, version) {
  const { stdout } = spawnSync('npm', ['view', `${name}@${version}`, 'dist.integrity', '--json'], {
    encoding: 'utf8',
  });
  return /"(sha512-[\w+/]{86}==)"/.exec(stdout ?? '')?.[1];
}

/** Searches like Node's module resolution: next to the package, then in each parent folder. */
function isLocked(path, name) {
  if (lock.packages[`node_modules/${name}`] !== undefined) return true;
  for (
    let folder = path;
    folder !== '';
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    if (lock.packages[`${folder}/node_modules/${name}`] !== undefined) return true;
  }
  return false;
}

/** Creates the entry of a platform package, whose name contains its systems; npm skips those of other systems. */
function placeholder(name, range, owner) {
  if (!/^\d+\.\d+\.\d+\S*$/.test(range)) throw new Error(`${name} is not pinned to one version: ${range}`);
  const words = name.split('/').at(-1).split('-');
  const os = words.filter((word) => SYSTEMS.includes(word));
  const cpu = words.filter((word) => PROCESSORS.includes(word));
  if (os.length + cpu.length === 0)
    throw new Error(`The package name ${name} does not say which system it is for`);
  const libc = /musl/.test(name) ? ['musl'] : /gnu/.test(name) ? ['glibc'] : [];
  return {
    version: range,
    cpu,
    ...(owner.dev ? { dev: true } : {}),
    ...(libc.length > 0 ? { libc } : {}),
    optional: true,
    ...(os.length > 0 ? { os } : {}),
  };
}
