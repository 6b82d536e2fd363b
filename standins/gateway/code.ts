/** A code block whose names and comment come from the request, so that a page's highlighter has work. */
import { mainWords, seedOf, shorten } from './words.ts';

type Writer = (name: string, comment: string, words: string[]) => string;

const list = (words: string[]) => words.map((word) => `"${word}"`).join(', ');
const snake = (name: string) => name.replace(/ /g, '_');
const camel = (name: string) => name.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase());

const WRITERS: Record<string, Writer> = {
  python: (name, comment, words) =>
    `# ${comment}\ndef ${snake(name)}(items):\n    words = [${list(words)}]\n    return [item for item in items if item in words]\n\n\nprint(${snake(name)}([${list(words.slice(0, 2))}]))`,
  javascript: (name, comment, words) =>
    `// ${comment}\nfunction ${camel(name)}(items) {\n  const words = new Set([${list(words)}]);\n  return items.filter((item) => words.has(item));\n}\n\nconsole.log(${camel(name)}([${list(words.slice(0, 2))}]));`,
  typescript: (name, comment, words) =>
    `// ${comment}\nexport function ${camel(name)}(items: string[]): string[] {\n  const words = new Set<string>([${list(words)}]);\n  return items.filter((item) => words.has(item));\n}`,
  sql: (name, comment, words) =>
    `-- ${comment}\nSELECT word, count(*) AS times\nFROM ${snake(name)}\nWHERE word IN (${words.map((word) => `'${word}'`).join(', ')})\nGROUP BY word\nORDER BY times DESC;`,
  bash: (name, comment, words) =>
    `# ${comment}\nfor word in ${words.join(' ')}; do\n  grep -c "$word" ${snake(name)}.txt\ndone`,
  html: (name, comment, words) =>
    `<!-- ${comment.replace(/-{2,}/g, '-')} -->\n<ul class="${name.replace(/ /g, '-')}">\n${words.map((word) => `  <li>${word}</li>`).join('\n')}\n</ul>`,
};

const NAMES: [RegExp, string][] = [
  [/\btypescript\b|\btsx?\b/i, 'typescript'],
  [/\bpython\b|\bpandas\b|\bdjango\b/i, 'python'],
  [/\bsql\b|\bpostgres(?:ql)?\b|\bquery\b/i, 'sql'],
  [/\bbash\b|\bshell\b|\bcommand line\b/i, 'bash'],
  [/\bhtml\b/i, 'html'],
  [/\bjavascript\b|\bnode(?:\.?js)?\b|\breact\b/i, 'javascript'],
];

/** A fenced block in the language that the text names (JavaScript otherwise), or null if no code is spoken of. */
export function codeBlock(text: string): string | null {
  const named = NAMES.find(([pattern]) => pattern.test(text))?.[1];
  if (!named && !/\b(?:code|function|script|program|snippet|algorithm|regex)\b|```/i.test(text)) return null;
  const language = named ?? 'javascript';
  const words = mainWords(text, 6)
    .map(({ word }) => word.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .filter((word) => /^[a-z]/.test(word));
  const safe = words.length > 0 ? words : [`request${seedOf(text) % 1000}`];
  const name = safe.slice(0, 2).join(' ');
  const comment = shorten(text.replace(/`/g, ''), 70);
  return `\`\`\`${language}\n${WRITERS[language]!(name, comment, safe)}\n\`\`\``;
}
