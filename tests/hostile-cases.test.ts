import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');

/** The test files of each case by its number, in the order of docs/hostile-cases.md. */
const cases = read('docs/hostile-cases.md')
  .split('\n')
  .flatMap((line) => {
    const [, number, fileList] = /^\| ([MSX]-A\d+) \|.*\| (.*) \|$/.exec(line) ?? [];
    const files = [...(fileList ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    return number ? [[number, files] as const] : [];
  });

test('each case has one row, whose files exist', () => {
  const numbers = (letter: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${letter}-A${at + 1}`);
  expect(cases.map(([number]) => number)).toEqual([
    ...numbers('M', 22),
    ...numbers('S', 17),
    ...numbers('X', 51),
  ]);
  for (const [number, files] of cases) {
    expect(files.length, number).toBeGreaterThan(0);
    for (const file of files) expect(existsSync(resolve(root, file)), `${number}: ${file}`).toBe(true);
  }
});

test('a test that names a case is listed in its row', () => {
  const rows = new Map(cases);
  const files = globSync(['tests/**/*.{test,e2e}.ts', 'src/**/*.test.{ts,tsx}'], { cwd: root });
  for (const file of files)
    for (const [number] of read(file).matchAll(/\b[MSX]-A\d+\b/g))
      expect(rows.get(number), number).toContain(file);
});
