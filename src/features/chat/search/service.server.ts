import { database } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { enforceLimit } from '../../../platform/http/rate-limit.server.ts';
import { chatLimits, type Piece, type SearchHit } from '../contract.ts';
import {
  END,
  type FoundMessage,
  type FoundTitle,
  HIT,
  messagesHolding,
  messagesMatching,
  titlesWith,
  type WordQuery,
} from './store.server.ts';

const LIMIT = { max: 60, seconds: 60 };
const LIMIT_TEXT = 'You are searching very often. Please wait a moment.';
/** Of all hits, so that titles leave room for messages, and one chat for the others. */
const TITLES = 10;
const PER_CHAT = 5;

/** Scripts that are written without blanks between words: there a word is looked for as a part of the text. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD = /[\p{L}\p{N}]/u;

/** What PostgreSQL takes and nothing else: no NUL, no half characters, at most `searchLength` long. */
function tidy(text: string): string {
  const cut = text.replaceAll('\0', ' ').trim().slice(0, chatLimits.searchLength);
  return cut
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed()
    .trim();
}

const quoted = (word: string) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** The last word is taken as the beginning of one: it may still be typed. */
function queryOf(words: string[]): WordQuery {
  const joined = (by: string) => `${words.map(quoted).join(by)}:*`;
  const start = /[\p{L}\p{N}]+/u.exec(words[0] ?? '')?.[0] ?? '';
  return { all: joined(' & '), any: joined(' | '), start: `\\m${start}` };
}

const plain = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** A text in pieces, those that are one of the words in any case marked. */
function piecesOf(text: string, words: string[]): Piece[] {
  const wanted = new RegExp(`(${words.map(plain).join('|')})`, 'giu');
  return text
    .split(wanted)
    .map((piece, index) => ({ text: piece, hit: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

/** The pieces of an excerpt whose hits stand between HIT and END. */
function piecesBetween(excerpt: string): Piece[] {
  return excerpt
    .split(HIT)
    .flatMap((part, index) => {
      const [first = '', rest = ''] = part.split(END);
      return index === 0
        ? [{ text: first, hit: false }]
        : [
            { text: first, hit: true },
            { text: rest, hit: false },
          ];
    })
    .filter((piece) => piece.text !== '');
}

const inOneLine = (pieces: Piece[]) =>
  pieces.map(({ text, hit }) => ({ text: text.replace(/\s+/g, ' '), hit }));

interface Search {
  text: string;
  words: string[];
  userId: string;
}

async function messagesWith({ words, userId }: Search): Promise<{ rows: FoundMessage[]; marked: boolean }> {
  const of = { userId, limit: chatLimits.searchHits, perChat: PER_CHAT };
  const named = words.filter((word) => WORD.test(word));
  if (named.length === 0 || words.some((word) => UNSPACED.test(word)))
    return { rows: await messagesHolding(database(), words, of), marked: false };
  return { rows: await messagesMatching(database(), queryOf(named), of), marked: true };
}

const ofTitle = ({ id, title, updated_at }: FoundTitle, { text }: Search): SearchHit => ({
  chatId: id,
  title: piecesOf(title, [text]),
  messageId: null,
  role: null,
  excerpt: [],
  at: updated_at.toISOString(),
});

/** Finds chats of the actor by their titles, then messages by their words; at most `searchHits`. @throws Problem rate_limited. */
export async function search({
  actor,
  input,
}: {
  actor: UserActor;
  input: { text: string };
}): Promise<SearchHit[]> {
  await enforceLimit(`search:${actor.userId}`, LIMIT, LIMIT_TEXT);
  const text = tidy(input.text);
  if (text === '') return [];
  const search: Search = { text, words: text.split(/\s+/), userId: actor.userId };
  const [titles, { rows, marked }] = await Promise.all([
    titlesWith(database(), actor.userId, text, TITLES),
    messagesWith(search),
  ]);
  const messages = rows.map(
    ({ chat_id, title, id, role, created_at, excerpt }): SearchHit => ({
      chatId: chat_id,
      title: piecesOf(title, [text]),
      messageId: id,
      role,
      excerpt: inOneLine(marked ? piecesBetween(excerpt) : piecesOf(excerpt, search.words)),
      at: created_at.toISOString(),
    }),
  );
  return [...titles.map((row) => ofTitle(row, search)), ...messages].slice(0, chatLimits.searchHits);
}
