import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  currentRelease,
  draftRelease,
  keepRelease,
  releaseFolder,
  removeUnused,
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
  keepRelease(folder, draft, id);
  clock += 10;
  utimesSync(releaseFolder(folder, id), clock, clock);
}

const started = () => readFileSync(join(folder, 'server', 'main.js'), 'utf8');

it('switches in one step, and leaves the files of the release before', () => {
  mkdirSync(join(folder, 'server'));
  writeFileSync(join(folder, 'server', 'main.js'), 'of before there were releases');
  makeRelease('a');
  expect(started()).toBe('of before there were releases');
  switchTo(folder, 'a');
  expect([started(), currentRelease(folder)]).toEqual(['a', 'a']);
  makeRelease('b');
  expect(started()).toBe('a');
  switchTo(folder, 'b');
  expect([started(), currentRelease(folder)]).toEqual(['b', 'b']);
  expect(readFileSync(join(releaseFolder(folder, 'a'), 'server', 'main.js'), 'utf8')).toBe('a');
});

it('keeps the newest, and older ones for as long as a process uses them', () => {
  for (const id of ['used', 'reused', 'gone', 'late', 'last', 'now']) makeRelease(id);
  const mark = (id, pid, born) => {
    const users = join(releaseFolder(folder, id), 'in-use');
    mkdirSync(users, { recursive: true });
    writeFileSync(join(users, String(pid)), born);
  };
  mark('used', process.pid, '');
  // The pid of an ended process that another process has now.
  if (existsSync('/proc/self/stat')) mark('reused', process.pid, '1');
  switchTo(folder, 'now');
  mark('gone', 2 ** 30, '');
  for (const id of ['used', 'reused', 'gone']) utimesSync(releaseFolder(folder, id), 1_000, 1_000);
  const gone = removeUnused(folder);
  expect(gone.sort()).toEqual(existsSync('/proc/self/stat') ? ['gone', 'reused'] : ['gone']);
  expect(existsSync(releaseFolder(folder, 'used'))).toBe(true);
  expect(started()).toBe('now');
});

it('takes away what a build that was killed left behind', () => {
  mkdirSync(join(folder, 'draft-1', 'client'), { recursive: true });
  draftRelease(folder);
  expect(existsSync(join(folder, 'draft-1'))).toBe(false);
});
