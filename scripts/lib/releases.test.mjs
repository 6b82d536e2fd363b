import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  currentRelease,
  draftRelease,
  releaseFolder,
  removeUnused,
  storeRelease,
  switchTo,
} from './releases.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'releases-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

let clock = 1_000;

function makeRelease(id) {
  const draft = draftRelease(folder);
  mkdirSync(join(draft, 'server'), { recursive: true });
  mkdirSync(join(draft, 'client'));
  writeFileSync(join(draft, 'server', 'main.js'), id);
  storeRelease(folder, draft, id);
  clock += 10;
  utimesSync(releaseFolder(folder, id), clock, clock);
}

const servedFile = () => readFileSync(join(folder, 'server', 'main.js'), 'utf8');

it('switches atomically and keeps the files of the previous release', () => {
  mkdirSync(join(folder, 'server'));
  writeFileSync(join(folder, 'server', 'main.js'), 'of before there were releases');
  makeRelease('a');
  expect(servedFile()).toBe('of before there were releases');
  switchTo(folder, 'a');
  expect([servedFile(), currentRelease(folder)]).toEqual(['a', 'a']);
  makeRelease('b');
  expect(servedFile()).toBe('a');
  switchTo(folder, 'b');
  expect([servedFile(), currentRelease(folder)]).toEqual(['b', 'b']);
  expect(readFileSync(join(releaseFolder(folder, 'a'), 'server', 'main.js'), 'utf8')).toBe('a');
});

it('keeps the newest releases, and older ones while a process uses them', () => {
  for (const id of ['used', 'reused', 'gone', 'late', 'last', 'now']) makeRelease(id);
  const markUsed = (id, pid, startTime) => {
    const inUse = join(releaseFolder(folder, id), 'in-use');
    mkdirSync(inUse, { recursive: true });
    writeFileSync(join(inUse, String(pid)), startTime);
  };
  markUsed('used', process.pid, '');
  // The pid of an ended process that another process has now.
  if (existsSync('/proc/self/stat')) markUsed('reused', process.pid, '1');
  switchTo(folder, 'now');
  markUsed('gone', 2 ** 30, '');
  for (const id of ['used', 'reused', 'gone']) utimesSync(releaseFolder(folder, id), 1_000, 1_000);
  const removed = removeUnused(folder);
  expect(removed.sort()).toEqual(existsSync('/proc/self/stat') ? ['gone', 'reused'] : ['gone']);
  expect(existsSync(releaseFolder(folder, 'used'))).toBe(true);
  expect(servedFile()).toBe('now');
});

it('removes what a killed build left behind', () => {
  mkdirSync(join(folder, 'draft-1', 'client'), { recursive: true });
  draftRelease(folder);
  expect(existsSync(join(folder, 'draft-1'))).toBe(false);
});
