import type { Database } from '#platform/database/database.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { oneSearch } from '#platform/one-search.server.ts';
import { cleanQuery, highlightWords, inOneLine, type TextSegment } from '#shared/search-words.ts';
import { unspacedLetter } from '#shared/unspaced-scripts.ts';
import {
  candidateMessages,
  type FoundMessage,
  type FoundTitle,
  HIT_END,
  HIT_START,
  searchMessageSubstrings,
  searchMessageWords,
  searchTitles,
  type WordQuery,
} from './chat-search-store.server.ts';
import { chatLimits, type SearchHit, shownTitle } from './contract.ts';

/** Limits within all hits, so that titles leave room for messages, and one chat for the others. */
const TITLES = 10;
const PER_CHAT = 5;

/** One word for PostgreSQL's parser, once the characters that join words are spaces. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** Words have only letters, digits and marks, so no operator needs escaping. */
const quoted = (word: string) => `'${word}'`;

/** Words typed without a space between them (`src/main.ts`) must be adjacent; the last one may be incomplete. */
function toWordQuery(wordParts: string[][]): WordQuery {
  const phrases = wordParts.map((words) => words.map(quoted).join(' <-> '));
  const first = (wordParts[0] ?? []).join('[^[:alnum:]]+');
  return {
    all: `${phrases.join(' & ')}:*`,
    any: `${wordParts.flat().map(quoted).join(' | ')}:*`,
    start: `\\m${first}${wordParts.length > 1 ? '(?![[:alnum:]])' : ''}`,
  };
}

function highlightExcerpt(excerpt: string): TextSegment[] {
  return excerpt
    .split(HIT_START)
    .flatMap((part, index) => {
      const [first = '', rest = ''] = part.split(HIT_END);
      return index === 0
        ? [{ text: first, hit: false }]
        : [
            { text: first, hit: true },
            { text: rest, hit: false },
          ];
    })
    .filter((piece) => piece.text !== '');
}

interface Search {
  text: string;
  words: string[];
  /** The parts of each word, split where characters join them; empty if the query has only punctuation. */
  wordParts: string[][];
  userId: string;
  candidates: string[] | null;
}

interface FoundMessages {
  messages: FoundMessage[];
  marked: boolean;
}

async function findMessages(
  tx: Database,
  { words, wordParts, userId, candidates }: Search,
  perChat: number,
): Promise<FoundMessages> {
  if (candidates?.length === 0) return { messages: [], marked: false };
  const options = { userId, candidates, limit: chatLimits.searchHits, perChat };
  if (wordParts.length > 0 && !words.some((word) => unspacedLetter.test(word))) {
    const messages = await searchMessageWords(tx, toWordQuery(wordParts), options);
    if (messages.length > 0) return { messages, marked: true };
  }
  return { messages: await searchMessageSubstrings(tx, words, options), marked: false };
}

async function findVariedMessages(tx: Database, search: Search): Promise<FoundMessages> {
  const found = await findMessages(tx, search, PER_CHAT);
  const counts = new Map<string, number>();
  for (const { chat_id } of found.messages) counts.set(chat_id, (counts.get(chat_id) ?? 0) + 1);
  const more = [...counts.values()].some((count) => count === PER_CHAT);
  if (!more || found.messages.length >= chatLimits.searchHits) return found;
  return findMessages(tx, search, chatLimits.searchHits);
}

/** Runs the queries in sequence, so that they take one connection. */
async function findHits(tx: Database, search: Omit<Search, 'candidates'>) {
  const { userId, text, words, wordParts } = search;
  const titles = await searchTitles(tx, userId, text, TITLES);
  // A message that contains the words as typed also contains these parts.
  const candidates = await candidateMessages(tx, userId, wordParts.length > 0 ? wordParts.flat() : words);
  return { titles, ...(await findVariedMessages(tx, { ...search, candidates })) };
}

const titleHit = (
  { id, title, updated_at, archived }: FoundTitle,
  { text }: Pick<Search, 'text'>,
): SearchHit => ({
  chatId: id,
  title: highlightWords(shownTitle(title), [text]),
  messageId: null,
  role: null,
  excerpt: [],
  at: updated_at.toISOString(),
  archived,
});

/** `alsoRun` runs further queries within the same search of this person. */
export async function search(
  { actor, input }: ActorInput<{ text: string }>,
  alsoRun: (tx: Database) => Promise<void> = async () => undefined,
): Promise<SearchHit[]> {
  const text = cleanQuery(input.text, chatLimits.searchLength);
  if (text === '') return [];
  const words = text.split(/\s+/);
  const wordParts = words.map((word) => word.match(WORD) ?? []).filter((parts) => parts.length > 0);
  const search = { text, words, wordParts, userId: actor.userId };
  const { titles, messages, marked } = await oneSearch(actor.userId, async (tx) => {
    const hits = await findHits(tx, search);
    await alsoRun(tx);
    return hits;
  });
  const messageHits = messages.map(
    ({ chat_id, title, archived, id, role, created_at, excerpt }): SearchHit => ({
      chatId: chat_id,
      title: highlightWords(title, [text]),
      messageId: id,
      role,
      excerpt: inOneLine(marked ? highlightExcerpt(excerpt) : highlightWords(excerpt, search.words)),
      at: created_at.toISOString(),
      archived,
    }),
  );
  return [...titles.map((row) => titleHit(row, search)), ...messageHits].slice(0, chatLimits.searchHits);
}
