import MiniSearch from 'minisearch';
import { startWithin } from '../cut-utf8.server.ts';
import { MAX_WORD_LENGTH, normalize, stopWords } from './normalize-text.server.ts';
import type { PageText } from './reader-protocol.ts';

const PASSAGE_LINES = 8;

const stem = (word: string) => (word.length > 4 ? word.replace(/(?:ing|ed|es|s|ly)$/, '') : word);

function termsOf(word: string): string[] {
  const folded = word.length > MAX_WORD_LENGTH ? '' : normalize(word);
  if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(folded))
    return folded ? [stem(folded)] : [];
  return [...folded].map((character, index, all) => character + (all[index + 1] ?? ''));
}

function tokenize(text: string): string[] {
  const terms: string[] = [];
  for (const word of text.split(/\s+/)) terms.push(...termsOf(word));
  return terms;
}

function passagesOf(text: string): string[] {
  const lines = text.split('\n');
  const passages: string[] = [];
  for (let line = 0; line < lines.length; line += PASSAGE_LINES)
    // The line before usually belongs to the first sentence.
    passages.push(lines.slice(Math.max(0, line - 1), line + PASSAGE_LINES).join('\n'));
  return passages;
}

export function rankPassages(
  pages: readonly PageText[],
  { question, bytes }: { question: string; bytes: number },
): PageText[] {
  const queryTerms = new Set(tokenize(question).filter((term) => !stopWords.has(term)));
  const passages = pages.flatMap(({ page, text }) => passagesOf(text).map((part) => ({ page, text: part })));
  const index = new MiniSearch({
    fields: ['text'],
    tokenize,
    // Searches use no other terms.
    processTerm: (term) => (queryTerms.has(term) ? term : null),
  });
  index.addAll(passages.map(({ text }, id) => ({ id, text })));
  const matches = index.search(question).sort((a, b) => b.score - a.score || a.id - b.id);
  const order = new Set<number>([...matches.map(({ id }) => id as number), ...passages.keys()]);
  let remaining = bytes;
  const chosen = new Map<number, PageText>();
  for (const id of order) {
    const { page, text } = passages[id]!;
    const shown = chosen.size === 0 ? startWithin(text, remaining) : text;
    remaining -= Buffer.byteLength(shown) + 16;
    if (remaining < 0 && chosen.size > 0) break;
    chosen.set(id, { page, text: shown });
  }
  return [...chosen].sort(([a], [b]) => a - b).map(([, passage]) => passage);
}
