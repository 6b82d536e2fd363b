/** Limit of fidelity: no knowledge, no reasoning, and English whatever the language of the request. */
import type { Message } from './chat-request.ts';
import { fillToWords, requestedWords, subjectOf } from './prose.ts';
import { asksForSample, SAMPLE_ANSWER } from './sample-answer.ts';
import {
  extract,
  framedText,
  mainWords,
  type Sentence,
  seedOf,
  sentencesOf,
  shorten,
  wordsOf,
} from './text.ts';

const INTRODUCTION = 'This is the local stand-in, not a model, and it answers with your own words.';

const cited = ({ text, page }: Sentence) => `${shorten(text, 220)}${page === null ? '' : ` (page ${page})`}`;
const times = (count: number) => (count === 1 ? 'once' : `${count} times`);

function attachments({ pictures, files }: Message): string | null {
  const kinds = pictures.map(({ type, width, height }) => `${type}, ${width} x ${height} pixels`).join('; ');
  const count = pictures.length === 1 ? 'one image' : `${pictures.length} images`;
  const parts = files.map((name) => `the file “${shorten(name, 80)}”`);
  if (kinds) parts.unshift(`${count} (${kinds})`);
  if (parts.length === 0) return null;
  return `It came with ${parts.join(' and ')}, which the stand-in cannot look into.`;
}

/** Parses the web results sent with a message, each three lines: number and title, host, text of the page. */
function webResults(text: string): string[] {
  const found = [...text.matchAll(/^\[(\d+)\] .*\n.*\n(.*)$/gm)].slice(0, 3);
  return [
    'The web says:',
    ...found.map(([, number, snippet = '']) => `- ${shorten(snippet, 220)} [${number}]`),
  ];
}

function documents([written = '', ...texts]: string[]): string[] {
  return texts.flatMap((sent) => {
    const text = framedText(sent) ?? sent;
    if (/^-{3,} begin of web results /m.test(sent)) return webResults(text);
    const sentences = sentencesOf(text);
    const paged = sentences.filter(({ page }) => page !== null);
    const quotes = extract(paged.length > 0 ? paged : sentences, 3, written).map(
      (sentence) => `> ${cited(sentence)}`,
    );
    return [`With it came a text of ${wordsOf(text).length} words. Out of it:`, ...quotes];
  });
}

function history(users: Message[]): string | null {
  if (users.length < 2) return null;
  const start = `This is turn ${users.length} of our conversation. You began with “${shorten(users[0]!.text, 120)}”`;
  if (users.length === 2) return `${start}.`;
  return `${start}, and just before this you wrote “${shorten(users.at(-2)!.text, 120)}”.`;
}

function summary(users: Message[], last: string): string | null {
  const own = sentencesOf(last);
  const short = own.length < 4;
  const all = short ? [...users.slice(0, -1).flatMap(({ text }) => sentencesOf(text)), ...own] : own;
  if (all.length < 4) return null;
  const chosen = extract(all, Math.min(5, Math.ceil(all.length / 3)), short ? last : '');
  return `**The sentences that carry most of it:**\n\n${chosen.map((sentence) => `- ${cited(sentence)}`).join('\n')}`;
}

function wordList(last: string): string | null {
  const words = mainWords(last, 5);
  if (words.length === 0) return null;
  const total = wordsOf(last).length;
  const items = words.map(({ word, count }) => `- **${word}**, ${times(count)}`);
  return `### Main words\n\nOut of ${total === 1 ? 'one word' : `${total} words`}:\n\n${items.join('\n')}`;
}

function wordTable(last: string): string | null {
  const words = /\b(?:table|compare|comparison|versus|vs)\b/i.test(last) ? mainWords(last, 6) : [];
  const rows = words.map(
    ({ word, count }) => `| ${word.replace(/\|/g, '\\|')} | ${count} | ${[...word].length} |`,
  );
  return rows.length > 0 ? `| Word | Times | Letters |\n| --- | ---: | ---: |\n${rows.join('\n')}` : null;
}

/** A language, its names in a text, and a code block; {list} becomes the words in quotation marks. */
const CODE: [string, RegExp, string][] = [
  [
    'typescript',
    /\btypescript\b|\btsx?\b/i,
    '// {comment}\nexport function {camel}(items: string[]): string[] {\n  const words = new Set<string>([{list}]);\n  return items.filter((item) => words.has(item));\n}',
  ],
  [
    'python',
    /\bpython\b|\bpandas\b|\bdjango\b/i,
    '# {comment}\ndef {snake}(items):\n    words = [{list}]\n    return [item for item in items if item in words]\n\n\nprint({snake}([{list}]))',
  ],
  [
    'sql',
    /\bsql\b|\bpostgres(?:ql)?\b|\bquery\b/i,
    "-- {comment}\nSELECT word, count(*) AS times\nFROM {snake}\nWHERE word = '{word}'\nGROUP BY word\nORDER BY times DESC;",
  ],
  [
    'bash',
    /\bbash\b|\bshell\b|\bcommand line\b/i,
    '# {comment}\nfor word in {words}; do\n  grep -c "$word" {snake}.txt\ndone',
  ],
  ['html', /\bhtml\b/i, '<p title="{comment}">\n  <b class="{word}">{words}</b>\n</p>'],
  [
    'javascript',
    /\bjavascript\b|\bnode(?:\.?js)?\b|\breact\b|\b(?:code|function|script|program|snippet|algorithm|regex)\b|```/i,
    '// {comment}\nfunction {camel}(items) {\n  const words = new Set([{list}]);\n  return items.filter((item) => words.has(item));\n}\n\nconsole.log({camel}([{list}]));',
  ],
];

function codeBlock(text: string): string | null {
  const found = CODE.find(([, pattern]) => pattern.test(text));
  if (!found) return null;
  const [language, , template] = found;
  const plain = mainWords(text, 6).map(({ word }) => word.toLowerCase().replace(/[^a-z0-9]/g, ''));
  const words = plain.filter((word) => /^[a-z]/.test(word));
  const [first = `request${seedOf(text) % 1000}`, second = 'words'] = words;
  const values: Record<string, string> = {
    comment: shorten(text.replace(/[`"<>]|--/g, ''), 70),
    snake: `${first}_${second}`,
    camel: `${first}${second.charAt(0).toUpperCase()}${second.slice(1)}`,
    word: first,
    words: words.join(' ') || first,
    list: (words.length > 0 ? words : [first]).map((word) => `"${word}"`).join(', '),
  };
  return `\`\`\`${language}\n${template.replace(/\{(\w+)\}/g, (match, name) => values[name] ?? match)}\n\`\`\``;
}

export function answerInMarkdown(messages: Message[]): string {
  const users = messages.filter(({ role }) => role === 'user');
  const message = users.at(-1) ?? messages.at(-1)!;
  const last = message.texts[0] ?? '';
  if (asksForSample(last)) return SAMPLE_ANSWER;
  const system = messages.find(({ role }) => role === 'system')?.text ?? '';
  const subject = mainWords(subjectOf(last), 2).map(({ word }) => `**${word}**`);
  const quote = last.trim() === '' ? 'Your message holds no text.' : `You wrote:\n\n> ${shorten(last, 320)}`;
  const words = requestedWords(last) ?? requestedWords(system);
  if (words !== null) {
    const start = words < 120 ? INTRODUCTION : `${INTRODUCTION}\n\n${quote}`;
    return fillToWords(start, subjectOf(last), words, seedOf(last));
  }
  const parts = [
    ...[INTRODUCTION, quote, attachments(message), ...documents(message.texts), history(users)],
    subject.length > 0 ? `It seems to be about ${subject.join(' and ')}.` : null,
    ...[summary(users, last), wordList(last), wordTable(last), codeBlock(last)],
  ];
  return parts.filter((part) => part !== null).join('\n\n');
}
