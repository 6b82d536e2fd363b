import { m } from '#messages';

const table: Record<string, [label: string, ...aliases: string[]]> = {
  bash: ['Bash', 'sh', 'shell', 'zsh', 'console', 'shellsession'],
  c: ['C', 'h'],
  cpp: ['C++', 'c++', 'cc', 'hpp', 'cxx'],
  csharp: ['C#', 'cs', 'c#'],
  css: ['CSS'],
  diff: ['Diff', 'patch'],
  dockerfile: ['Dockerfile', 'docker'],
  go: ['Go', 'golang'],
  ini: ['INI', 'toml', 'conf'],
  java: ['Java'],
  javascript: ['JavaScript', 'js', 'jsx', 'mjs', 'cjs', 'node'],
  json: ['JSON', 'jsonc', 'json5'],
  kotlin: ['Kotlin', 'kt'],
  lua: ['Lua'],
  makefile: ['Makefile', 'make', 'mk'],
  markdown: ['Markdown', 'md'],
  php: ['PHP'],
  python: ['Python', 'py', 'python3'],
  r: ['R'],
  ruby: ['Ruby', 'rb'],
  rust: ['Rust', 'rs'],
  scss: ['SCSS', 'sass', 'less'],
  sql: ['SQL', 'postgresql', 'mysql', 'sqlite', 'pgsql'],
  swift: ['Swift'],
  typescript: ['TypeScript', 'ts', 'tsx', 'mts', 'cts'],
  xml: ['HTML', 'html', 'xhtml', 'svg', 'vue'],
  yaml: ['YAML', 'yml'],
};

const byName = new Map<string, { grammar: string; label: string }>();
for (const [grammar, [label, ...aliases]] of Object.entries(table)) {
  for (const name of [grammar, ...aliases]) byName.set(name, { grammar, label });
}
byName.set('xml', { grammar: 'xml', label: 'XML' });
byName.set('svg', { grammar: 'xml', label: 'SVG' });
byName.set('toml', { grammar: 'ini', label: 'TOML' });

const wordOf = (info: string) => (/^[^\s,{:]+/.exec(info.trim())?.[0] ?? '').slice(0, 40);

export const languageName = (info: string): string => wordOf(info).toLowerCase();

export function languageOf(info: string): { grammar: string | null; label: string } {
  const name = wordOf(info);
  return byName.get(name.toLowerCase()) ?? { grammar: null, label: name || m.code_plain() };
}

export type PreviewKind = 'html' | 'mermaid' | 'markdown';

const previews: [kind: PreviewKind, names: RegExp][] = [
  ['html', /^(?:x?html?|svg)$/],
  ['mermaid', /^(?:mermaid|mmd)$/],
  ['markdown', /^(?:markdown|md)$/],
];

/** Returns null if the code has no preview. */
export function previewKind(info: string, code: string): PreviewKind | null {
  const name = languageName(info);
  if (name === 'xml' && /^\s*(?:<\?xml[^>]*>\s*)?<svg[\s>]/.test(code)) return 'html';
  return previews.find(([, names]) => names.test(name))?.[0] ?? null;
}
