/**
 * Texts of a wished length and other wordings of a passage, recognised by their system instruction. Made of the words
 * that were sent: the stand-in fills, cuts and corrects, and knows nothing.
 */
import { composeTitle } from './compose.ts';
import { fillToWords } from './filler.ts';
import { brokenOff, type Message } from './request.ts';
import { extract, seedOf, sentencesOf, wordsOf } from './words.ts';

const systemText = (messages: Message[]) => messages.find(({ role }) => role === 'system')?.text ?? '';
const isText = (messages: Message[]) => /^You write finished texts in Markdown\b/.test(systemText(messages));
const isPassage = (messages: Message[]) => /^You edit one passage of a text\b/.test(systemText(messages));

/** What the person wrote of a text: later turns are wishes about its length. Null for any other request. */
export function wishOf(messages: Message[]): string | null {
  if (isText(messages)) return messages.find(({ role }) => role === 'user')?.text ?? '';
  return null;
}

const numbers = (pattern: RegExp, text: string) => pattern.exec(text)?.slice(1).map(Number) ?? [];

/** How many words are wanted, by the instruction or by the wish for a correction. */
function wanted(messages: Message[]): { words: number; follows: boolean } {
  const last = messages.findLast(({ role }) => role === 'user')?.text ?? '';
  const [more] = numbers(/Write the paragraphs that follow its last one, about (\d+) words/, last);
  if (more) return { words: more, follows: true };
  const [least = 300, most = 500] = numbers(/between (\d+) and (\d+) words/, systemText(messages));
  return { words: Math.round((least + most) / 2), follows: false };
}

/** The number of a draft or of its correction that a marker asks for. */
const marked = (messages: Message[], words: number[] | null): number | undefined =>
  words?.[messages.filter(({ role }) => role === 'assistant').length];

function composeText(messages: Message[], wish: string, words: number[] | null): string {
  const { words: most, follows } = wanted(messages);
  const count = marked(messages, words) ?? most;
  const seed = seedOf(wish) + messages.length;
  if (follows) return fillToWords('One thing is left to say.', wish, count, seed);
  const opening = 'This text is by the local stand-in, which writes with the words of the wish.';
  const title = composeTitle(wish);
  const mail = /\bis an email\b/.test(systemText(messages));
  const start = mail ? `Subject: ${title}\n\nDear reader,\n\n${opening}` : `# ${title}\n\n${opening}`;
  return count < 30 ? wordsOf(start).slice(0, count).join(' ') : fillToWords(start, wish, count, seed);
}

const passageOf = (text: string) => /The passage:\n(=+)\n([\s\S]*)\n\1$/.exec(text)?.[2] ?? text;
const withoutFence = (text: string) => text.split('\n\nWhat stands before it:')[0] ?? text;

function shortened(passage: string): string {
  const sentences = sentencesOf(passage);
  if (sentences.length > 1)
    return extract(sentences, Math.ceil(sentences.length / 2))
      .map(({ text }) => text)
      .join(' ');
  const words = passage.split(/\s+/);
  return words.slice(0, Math.ceil(words.length / 2)).join(' ');
}

const slips: [RegExp, string][] = [
  [/\bteh\b/g, 'the'],
  [/\brecieve/g, 'receive'],
  [/\bi\b/g, 'I'],
  [/ {2,}/g, ' '],
  [/ +([,.;:!?])/g, '$1'],
];

function corrected(passage: string): string {
  const text = slips.reduce((so, [slip, right]) => so.replace(slip, right), passage);
  const upper = text.replace(
    /(^|[.!?]\s+)(\p{Ll})/gu,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  );
  return /[\p{L}\p{N}]$/u.test(upper) && !/^#/.test(upper) ? `${upper}.` : upper;
}

const contractions: [string, string][] = [
  ['do not', 'don’t'],
  ['is not', 'isn’t'],
  ['cannot', 'can’t'],
  ['it is', 'it’s'],
];

function toned(passage: string, wish: string): string {
  const casual = /\bcasual\b/.test(wish);
  const words = contractions.reduce(
    (so, [long, short]) => (casual ? so.replaceAll(long, short) : so.replaceAll(short, long)),
    passage,
  );
  if (/^\s*(?:#|[-*] |\d+\.)/.test(words)) return words;
  if (casual) return `Honestly, ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
  if (/\bacademic\b/.test(wish))
    return `It can be argued that ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
  return /\bcreative\b/.test(wish)
    ? `Picture this: ${words}`
    : `To be precise, ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

function rephrased(text: string): string {
  const wish = withoutFence(text);
  const passage = passageOf(text);
  if (/^Shorten\b/.test(wish)) return shortened(passage);
  if (/^Expand\b/.test(wish)) {
    const count = wordsOf(passage).length * 2;
    return fillToWords(passage, passage, Math.max(count, 20), seedOf(passage)).replace(/\n+#+ .*\n+/g, ' ');
  }
  if (/^Change the tone\b/.test(wish)) return toned(passage, wish);
  if (/^Correct\b/.test(wish)) return corrected(passage);
  const own = /as the person wishes: ([\s\S]*)$/.exec(wish)?.[1] ?? '';
  if (/upper ?case|capitals/i.test(own)) return passage.toUpperCase();
  return `${passage} (Changed by the stand-in as wished: ${own.trim().slice(0, 200)})`;
}

/**
 * The answer to a request for a text or for another wording; null for any other request.
 * @param words numbers of words that a marker asks for, of the draft and of its correction.
 */
export function composeWriting(messages: Message[], words: number[] | null): string | null {
  if (isPassage(messages)) return rephrased(messages.findLast(({ role }) => role === 'user')?.text ?? '');
  const wish = wishOf(messages);
  return wish === null ? null : composeText(messages, wish, words);
}

/** The text by which a call is planned: of a written text always the wish, else the last message. */
export function plannedBy(messages: Message[], last: string): string {
  return wishOf(brokenOff(messages)?.before ?? messages) ?? last;
}
