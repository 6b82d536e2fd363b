import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import { afterEach, describe, expect, it } from 'vitest';
import { type Catalogues, readCatalogues } from './catalogues.ts';
import { localizeAssets } from './localize.ts';
import { checkEvaluation, replaceMessages } from './placeholders.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function folderOf(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'messages-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const catalogues = (texts: Record<string, Record<string, string>>): Catalogues =>
  readCatalogues(
    folderOf(
      Object.fromEntries(
        Object.entries(texts).map(([locale, text]) => [`${locale}.json`, JSON.stringify(text)]),
      ),
    ),
  );

const messages = {
  en: { send: 'Send', left: '{n, plural, one {# credit} other {# credits}} left', hello: 'Hi {name}' },
  de: { send: 'Senden', left: 'Noch {n, plural, one {# Credit} other {# Credits}}', hello: 'Hallo {name}' },
};

/** Builds modules like the client build, and returns the files of each language by name. */
async function buildFiles(
  files: Record<string, string>,
  catalogues: Catalogues,
): Promise<Record<string, string>> {
  const folder = folderOf(files);
  const assets = folderOf({});
  const build = await rolldown({
    input: join(folder, 'entry.ts'),
    plugins: [
      {
        name: 'messages',
        transform(code) {
          if (!code.includes('#messages')) return null;
          return replaceMessages(code, this.parse(code, { lang: 'ts' }), catalogues);
        },
      },
    ],
  });
  await build.write({
    dir: assets,
    minify: true,
    entryFileNames: '[name]-1.js',
    chunkFileNames: '[name]-1.js',
  });
  await build.close();
  localizeAssets(assets, catalogues);
  const names = readdirSync(assets, { recursive: true }) as string[];
  return Object.fromEntries(
    names
      .filter((name) => name.endsWith('.js'))
      .map((name) => [name.replace(/-[0-9a-f]{8}\//, '/'), readFileSync(join(assets, name), 'utf8')]),
  );
}

describe('the client files', () => {
  const entry = `
    import { m, locale } from '#messages';
    import { plain } from './plain.ts';
    const later = () => import('./lazy.ts');
    globalThis.out = [m.send(), m.left({ n: 1200 }), locale(), plain, m.send];
    globalThis.later = later;`;
  const modules = {
    'entry.ts': entry,
    'plain.ts': 'export const plain = () => import("./shared.ts");',
    'shared.ts': 'export const shared = "no words";',
    'lazy.ts': `import { m } from '#messages'; export const hello = m.hello({ name: 'Ada' }); const unused = m.left;`,
  };

  it('contain the messages of one language each, and shared code only once', async () => {
    const files = await buildFiles(modules, catalogues(messages));
    expect(Object.keys(files).sort()).toEqual([
      'de/entry-1.js',
      'de/lazy-1.js',
      'en/entry-1.js',
      'en/lazy-1.js',
      'shared-1.js',
    ]);
    expect(files['de/entry-1.js']).toContain('"Senden"');
    expect(files['de/entry-1.js']).not.toMatch(/Send"|credit |__m__|__locale__/);
    expect(files['de/entry-1.js']).toMatch(/["'`]\.\/lazy-1\.js/);
    expect(files['de/entry-1.js']).toMatch(/["'`]\.\.\/shared-1\.js/);
    expect(files['de/lazy-1.js']).toContain('Hallo');
    expect(files['de/lazy-1.js']).not.toContain('Credits');
  });

  it('run and format numbers for the language', async () => {
    const { 'de/entry-1.js': code = '' } = await buildFiles(modules, catalogues(messages));
    const out = new Function(`${code.replace(/export\{[^}]*\};?/, '')};return globalThis.out`)() as unknown[];
    expect(out.slice(0, 3)).toEqual(['Senden', 'Noch 1.200 Credits', 'de']);
  });

  it.each([
    ['m[key]()', 'could be any sentence'],
    ['use(m)', 'otherwise than as m.key'],
    ['m.nothing()', 'has no "nothing"'],
  ])('are rejected with %s', async (code, problem) => {
    const texts = catalogues(messages);
    await expect(
      buildFiles({ 'entry.ts': `import { m } from '#messages';\n${code};` }, texts),
    ).rejects.toThrow(problem);
  });
});

describe('catalogues', () => {
  it.each([
    [
      { en: messages.en, de: { ...messages.de, more: 'x' } },
      'de.json: "more" is not in the English catalogue',
    ],
    [{ en: messages.en, de: { ...messages.de, hello: 'Hallo' } }, 'de.json: "hello" lacks {name}'],
    [{ en: messages.en, de: { ...messages.de, hello: 'Hallo {nmae}' } }, 'has {nmae}, which English has not'],
    [{ en: messages.en, de: { ...messages.de, send: 'Senden <b>' } }, 'de.json: "send" cannot be read'],
    [
      { en: messages.en, de: { ...messages.de, hello: '{name, number}' } },
      'takes {name} as number, not text',
    ],
  ])('are rejected with the difference: %#', (texts, problem) => {
    expect(() => catalogues(texts)).toThrow(problem);
  });

  it('fall back to English for missing messages', () => {
    const read = catalogues({ en: messages.en, de: { send: 'Senden' } });
    expect(read.get('de')?.get('hello')).toEqual(read.get('en')?.get('hello'));
  });
});

describe('checkEvaluation', () => {
  const check = (code: string) =>
    checkEvaluation(parseAst(`import { m, locale } from '#messages';\n${code}`));

  it.each([
    'export const label = m.send();',
    'export const labels = { send: [m.send()] };',
    'export const language = locale();',
  ])('rejects messages made once for everybody: %s', (code) => {
    expect(() => check(code)).toThrow(SyntaxError);
  });

  it.each([
    'export const label = () => m.send();',
    'export const labels = { send: m.send };',
    'export function language() { return locale(); }',
  ])('accepts messages made when they are shown: %s', (code) => {
    expect(() => check(code)).not.toThrow();
  });
});
