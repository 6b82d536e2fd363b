/**
 * The stand-in's answer, put together from the request alone: it quotes, counts, extracts and says what it is.
 * Limit of fidelity: there is no knowledge and no reasoning in it, and it speaks English whatever it is asked in.
 */
import { codeBlock } from './code.ts';
import { fillToWords } from './filler.ts';
import type { Message } from './request.ts';
import {
  extract,
  isTelling,
  mainWords,
  type Sentence,
  seedOf,
  sentencesOf,
  shorten,
  wordsOf,
} from './words.ts';

const INTRODUCTION = 'This is the local stand-in, not a model, and it answers with your own words.';
const MAX_WISHED_WORDS = 6000;

const LENGTH =
  /(?:\b(?:in|with|of|about|around|roughly|exactly|at least|up to)\s+){0,2}(?:an?\s+)?(\d{1,2}[,.]\d{3}|\d{2,5})(?:\s*(?:-|–|to)\s*\d{2,5})?[\s-]*words?\b:?/i;

/** How many words the text asks for ("in 300 words", "a 1,000-word article"), or null. */
function wishedWords(text: string): number | null {
  const match = LENGTH.exec(text);
  if (!match) return null;
  return Math.min(MAX_WISHED_WORDS, Number(match[1]!.replace(/[,.]/g, '')));
}

/** The text without the wish for a length, which is not its subject. */
function subjectOf(text: string): string {
  return text.replace(LENGTH, ' ').trim() || text;
}

function quoted(text: string): string {
  return `> ${shorten(text, 320)}`;
}

function attachments({ pictures, files }: Message): string | null {
  const parts: string[] = [];
  if (pictures.length > 0) {
    const kinds = pictures
      .map(({ type, width, height }) => `${type}, ${width} x ${height} pixels`)
      .join('; ');
    parts.push(`${pictures.length === 1 ? 'one image' : `${pictures.length} images`} (${kinds})`);
  }
  for (const name of files) parts.push(`the file “${shorten(name, 80)}”`);
  return parts.length > 0
    ? `It came with ${parts.join(' and ')}, which the stand-in cannot look into.`
    : null;
}

/** What texts that came with the message say, as far as the words of the message lead. */
function documents([written = '', ...texts]: string[]): string | null {
  const told = texts.flatMap((text) => {
    const sentences = sentencesOf(text);
    const paged = sentences.filter(({ page }) => page !== null);
    const items = extract(paged.length > 0 ? paged : sentences, 3, written).map(
      ({ text: said, page }) => `> ${shorten(said, 220)}${page === null ? '' : ` (page ${page})`}`,
    );
    return [`With it came a text of ${wordsOf(text).length} words. Out of it:`, ...items];
  });
  return told.length > 0 ? told.join('\n\n') : null;
}

function history(users: Message[]): string | null {
  if (users.length < 2) return null;
  const [first, before] = [users[0]!, users[users.length - 2]!];
  const start = `This is turn ${users.length} of our conversation. You began with “${shorten(first.text, 120)}”`;
  if (users.length === 2) return `${start}.`;
  return `${start}, and just before this you wrote “${shorten(before.text, 120)}”.`;
}

function summary(users: Message[], last: string): string | null {
  const own = sentencesOf(last);
  const pool: Sentence[] =
    own.length >= 4
      ? own
      : users
          .slice(0, -1)
          .flatMap((message) => sentencesOf(message.text))
          .concat(own);
  if (pool.length < 4) return null;
  const lines = extract(pool, Math.min(5, Math.ceil(pool.length / 3)), own.length >= 4 ? '' : last);
  const items = lines.map(
    ({ text, page }) => `- ${shorten(text, 220)}${page === null ? '' : ` (page ${page})`}`,
  );
  return `**The sentences that carry most of it:**\n\n${items.join('\n')}`;
}

function wordList(last: string): string | null {
  const words = mainWords(last, 5);
  if (words.length === 0) return null;
  const total = wordsOf(last).length;
  const items = words.map(({ word, count }) => `- **${word}**, ${count === 1 ? 'once' : `${count} times`}`);
  return `### Main words\n\nOut of ${total === 1 ? 'one word' : `${total} words`}:\n\n${items.join('\n')}`;
}

function wordTable(last: string): string | null {
  if (!/\b(?:table|compare|comparison|versus|vs)\b/i.test(last)) return null;
  const words = mainWords(last, 6);
  if (words.length === 0) return null;
  const rows = words.map(
    ({ word, count }) => `| ${word.replace(/\|/g, '\\|')} | ${count} | ${[...word].length} |`,
  );
  return `| Word | Times | Letters |\n| --- | ---: | ---: |\n${rows.join('\n')}`;
}

/** The whole Markdown answer to a conversation. Same conversation, same answer. */
export function composeAnswer(messages: Message[]): string {
  const users = messages.filter((message) => message.role === 'user');
  const message = users.at(-1) ?? messages.at(-1)!;
  const last = message.texts[0] ?? '';
  const subject = mainWords(subjectOf(last), 2).map(({ word }) => `**${word}**`);
  const parts = [
    INTRODUCTION,
    last.trim() === '' ? 'Your message holds no text.' : `You wrote:\n\n${quoted(last)}`,
    attachments(message),
    documents(message.texts),
    history(users),
    subject.length > 0 ? `It seems to be about ${subject.join(' and ')}.` : null,
    summary(users, last),
    wordList(last),
    wordTable(last),
    codeBlock(last),
  ];
  const answer = parts.filter((part) => part !== null).join('\n\n');
  const words = wishedWords(last) ?? wishedWords(messages.find((m) => m.role === 'system')?.text ?? '');
  if (words === null) return answer;
  // A wished length is kept from the short form too: introduction and quotation first, then only filler.
  const short = parts.slice(0, 2).join('\n\n');
  return fillToWords(words < 120 ? INTRODUCTION : short, subjectOf(last), words, seedOf(last));
}

/** A title of four to six words out of the user's own, fewer where the user wrote fewer. */
export function composeTitle(text: string): string {
  // What a conversation marks its speakers by is no subject.
  const said = text.replace(/^(?:user|assistant): /gim, '');
  const plain = subjectOf(said).replace(/```[\s\S]*?(?:```|$)/g, ' ');
  const words = wordsOf(plain.trim() === '' ? said : plain);
  const telling = words.filter(isTelling);
  const chosen = telling.length >= 4 ? telling.slice(0, 6) : words.slice(0, 6);
  const title = shorten(chosen.join(' '), 70).replace(/ …$/, '');
  return title === '' ? 'Message without words' : title.charAt(0).toUpperCase() + title.slice(1);
}
