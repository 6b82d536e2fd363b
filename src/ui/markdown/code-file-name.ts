import { cleanFileName } from '#shared/file-name.ts';
import { languageName, languageOf } from './code-languages.ts';

/** File extension by highlighting grammar. */
const grammarExtensions: Record<string, string> = {
  bash: 'sh',
  c: 'c',
  cpp: 'cpp',
  csharp: 'cs',
  css: 'css',
  diff: 'diff',
  go: 'go',
  ini: 'ini',
  java: 'java',
  javascript: 'js',
  json: 'json',
  kotlin: 'kt',
  lua: 'lua',
  markdown: 'md',
  php: 'php',
  python: 'py',
  r: 'r',
  ruby: 'rb',
  rust: 'rs',
  scss: 'scss',
  sql: 'sql',
  swift: 'swift',
  typescript: 'ts',
  xml: 'html',
  yaml: 'yaml',
};

/** Languages whose name is the extension, or whose extension differs from that of their grammar. */
const languageExtensions: Record<string, string> = {
  ...Object.fromEntries(
    [
      'bat',
      'cjs',
      'csv',
      'cts',
      'dart',
      'ex',
      'fountain',
      'graphql',
      'h',
      'hpp',
      'hs',
      'html',
      'ics',
      'json5',
    ]
      .concat(['jsonc', 'jsx', 'less', 'mjs', 'mmd', 'mts', 'patch', 'pl', 'proto', 'ps1', 'sass', 'scala'])
      .concat([
        'svg',
        'tex',
        'tf',
        'toml',
        'tsv',
        'tsx',
        'txt',
        'vb',
        'vue',
        'xhtml',
        'xml',
        'yml',
        'zig',
        'zsh',
      ])
      .map((name) => [name, name]),
  ),
  conf: 'conf',
  elixir: 'ex',
  haskell: 'hs',
  latex: 'tex',
  mermaid: 'mmd',
  perl: 'pl',
  powershell: 'ps1',
  terraform: 'tf',
};

/** Languages with a fixed file name. */
const fixedNames: Record<string, string> = { dockerfile: 'Dockerfile', makefile: 'Makefile' };

/** A file name in the fence itself: `js title="app.js"`, `python app.py`, `ts:src/app.ts`. */
const namePattern = /(?:^|[\s"'=:{/])([\w-][\w.-]*\.[A-Za-z]\w{0,9})(?=$|[\s"'}])/;

export function codeFileName(info: string): string {
  const statedName = namePattern.exec(info.trim())?.[1];
  if (statedName) return cleanFileName(statedName);
  const name = languageName(info);
  const { grammar } = languageOf(info);
  if (grammar !== null && Object.hasOwn(fixedNames, grammar)) return fixedNames[grammar] ?? '';
  const extension =
    (Object.hasOwn(languageExtensions, name) ? languageExtensions[name] : null) ??
    (grammar && grammarExtensions[grammar]) ??
    'txt';
  return `code.${extension}`;
}
