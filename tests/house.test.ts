import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const src = join(root, 'src');

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

const sources = filesBelow(src).filter((path) => /\.tsx?$/.test(path));
const code = sources.filter((path) => !/\.(test|fixture)\.tsx?$/.test(path));

interface Import {
  from: string;
  to: string;
  /** Erased by the compiler. */
  typeOnly: boolean;
}

function importsOf(path: string): Import[] {
  const text = readFileSync(join(root, path), 'utf8');
  const found = [
    ...text.matchAll(
      /(?:^|\n)\s*(import|export)\s+(type\s+)?[^;'"]*?from\s+['"](\.[^'"]+)['"]|import\(\s*['"](\.[^'"]+)['"]\s*\)/g,
    ),
  ];
  return found.map((match) => ({
    from: path,
    to: relative(root, resolve(root, dirname(path), (match[3] ?? match[4] ?? '').replace(/\?.*$/, ''))),
    typeOnly: match[2] !== undefined,
  }));
}

const imports = code.flatMap(importsOf);
const layerOf = (path: string) => path.split('/')[1] ?? '';
const featureOf = (path: string) => (path.startsWith('src/features/') ? path.split('/')[2] : undefined);
const list = (edges: Import[]) => edges.map(({ from, to }) => `${from} -> ${to}`);

/** Classes that a sheet styles wherever they stand: the first of each selector that no other rule encloses. */
function classesDefined(sheet: string): string[] {
  const found: string[] = [];
  const enclosing: string[] = [];
  for (const [, prelude = '', mark] of sheet.replace(/\/\*.*?\*\//gs, '').matchAll(/([^{};]*)([{};])/g)) {
    if (mark === '}') enclosing.pop();
    if (mark !== '{') continue;
    const selectors = prelude.trim();
    if (!selectors.startsWith('@') && enclosing.every((rule) => rule.startsWith('@')))
      for (const selector of selectors.split(',')) {
        const name = /^\.([\w-]+)[^\s>+~]*$/.exec(selector.trim())?.[1];
        if (name) found.push(name);
      }
    enclosing.push(selectors);
  }
  return found;
}

/** Browser code of the features that others stand on: how a run is followed, what it costs, what was made, how Pro is bought. */
const openRooms = ['generations', 'credits', 'works', 'billing'].map(
  (feature) => `src/features/${feature}/web/`,
);

describe('the house', () => {
  it('has only the known kinds of file in a feature', () => {
    const known =
      /^(contract\.ts|service\.server\.ts|store\.server\.ts|api\.server\.ts|jobs\.server\.ts|[a-z-]+\.adapter\.server\.ts|[a-z-]+\.mail\.tsx|[a-z-]+\.route\.tsx)$/;
    const adapterRooms = new Set(
      code.filter((path) => path.endsWith('.adapter.server.ts')).map((path) => dirname(path)),
    );
    const strangers = code.filter((path) => {
      if (!featureOf(path) || path.includes('/web/') || adapterRooms.has(dirname(path))) return false;
      return !known.test(path.split('/').at(-1) ?? '');
    });
    expect(strangers, 'name it after a known kind, or move it to platform, ui or shared').toEqual([]);
  });

  it('lets arrows go one way: app, features, platform and ui, client, shared', () => {
    const allowed: Record<string, string[]> = {
      app: ['app', 'features', 'platform', 'ui', 'client', 'shared'],
      features: ['features', 'platform', 'ui', 'client', 'shared'],
      platform: ['platform', 'shared'],
      ui: ['ui', 'client', 'shared'],
      client: ['client', 'shared'],
      shared: ['shared'],
    };
    const wrong = imports.filter(
      ({ from, to }) => to.startsWith('src/') && !allowed[layerOf(from)]?.includes(layerOf(to)),
    );
    expect(list(wrong)).toEqual([]);
  });

  it('lets features meet only through a service or a contract', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [own, other] = [featureOf(from), featureOf(to)];
      if (!own || !other || own === other) return false;
      if (openRooms.some((room) => to.startsWith(room)) && /\/web\/|\.route\.tsx$/.test(from)) return false;
      return !/\/(service\.server|contract)\.ts$/.test(to) && !/\/[a-z-]+\.adapter\.server\.ts$/.test(to);
    });
    expect(list(wrong)).toEqual([]);
  });

  it('keeps a store private to its feature, and browser code away from the server', () => {
    const wrong = imports.filter(({ from, to, typeOnly }) => {
      if (/store\.server\.ts$/.test(to) && featureOf(from) !== featureOf(to)) return true;
      const browser =
        /\/(web|ui|client|enhance)\//.test(from) ||
        from.startsWith('src/shared/') ||
        from.endsWith('contract.ts');
      return browser && !typeOnly && /\.server\.tsx?$/.test(to);
    });
    expect(list(wrong)).toEqual([]);
  });

  it('names the storage of the browser in one module, which does not throw', () => {
    // The script of the head, a text of its own, catches by itself.
    const own = ['src/client/storage.ts', 'src/app/shell/theme-script.ts'];
    const wrong = code.filter(
      (path) =>
        !own.includes(path) && /\b(local|session)Storage\b/.test(readFileSync(join(root, path), 'utf8')),
    );
    expect(wrong, 'use local or session of src/client/storage.ts').toEqual([]);
  });

  it('has no cycle between modules', () => {
    const next = new Map<string, string[]>();
    for (const { from, to, typeOnly } of imports)
      if (!typeOnly) next.set(from, [...(next.get(from) ?? []), to]);
    const done = new Set<string>();
    const cycles: string[] = [];
    const walk = (path: string, trail: string[]) => {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      if (done.has(path) || trail.includes(path)) return;
      for (const to of next.get(path) ?? []) walk(to, [...trail, path]);
      done.add(path);
    };
    for (const path of next.keys()) walk(path, []);
    expect(cycles).toEqual([]);
  });

  it('reads the environment in one place', () => {
    const readers = code.filter((path) => /process\.env\b/.test(readFileSync(join(root, path), 'utf8')));
    expect(readers).toEqual(['src/platform/config/env.server.ts']);
  });

  it('sends keys of paid requests from one place of the browser code', () => {
    const senders = code.filter(
      (path) =>
        path.includes('/web/') && readFileSync(join(root, path), 'utf8').includes('[idempotencyHeader]'),
    );
    const web = 'src/features/generations/web';
    expect(senders).toEqual([`${web}/request-keys.ts`, `${web}/stream.ts`]);
  });

  it('calls outside addresses only through the outbound module', () => {
    const callers = code.filter((path) => {
      if (path.startsWith('src/platform/outbound/') || !path.includes('.server.')) return false;
      return (
        /(?<![.\w])fetch\(|\bhttps?\.request\(|from 'node:https?'/.test(
          readFileSync(join(root, path), 'utf8').replace(/import type .*/g, ''),
        ) && path !== 'src/app/http.server.ts'
      );
    });
    expect(callers).toEqual([]);
  });

  it('has no barrel, no drawer and no file over 400 lines', () => {
    const barrels = code.filter(
      (path) => /\/index\.tsx?$/.test(path) || /\/(utils?|helpers?|misc|common)(\/|\.tsx?$)/.test(path),
    );
    const styles = filesBelow(src).filter((path) => path.endsWith('.css'));
    const long = [...code, ...styles].filter(
      (path) => readFileSync(join(root, path), 'utf8').split('\n').length > 400,
    );
    expect([...barrels, ...long]).toEqual([]);
  });

  it('defines no class in the sheets of two pages', () => {
    const owners = new Map<string, Set<string>>();
    for (const path of filesBelow(src).filter((name) => name.endsWith('.css'))) {
      const owner = /^src\/(features\/[^/]+|app\/pages\/[^/]+)\//.exec(path)?.[1];
      // The sheets of src/ui, of the shell and of the parts of pages are meant for all.
      if (!owner || owner === 'app/pages/parts') continue;
      for (const name of classesDefined(readFileSync(join(root, path), 'utf8')))
        owners.set(name, (owners.get(name) ?? new Set()).add(owner));
    }
    expect(owners.size).toBeGreaterThan(300);
    const shared = [...owners].filter(([, of]) => of.size > 1);
    expect(shared.map(([name, of]) => `.${name}: ${[...of].join(', ')}`)).toEqual([]);
  });

  it('keeps the stand-ins apart', () => {
    const wrong = filesBelow(join(root, 'standins'))
      .filter((path) => path.endsWith('.ts'))
      .flatMap(importsOf)
      .filter(({ to }) => to.startsWith('src/'));
    expect(list(wrong)).toEqual([]);
  });
});
