/**
 * Answers to requests that work through a document: from the pages in the request it takes sentences and quotes them
 * literally with their page, or, for a question, those that share its words. With markers on, [[invented:40]] in the
 * pages makes so many of a hundred quotes false: a changed figure, a "not", words of two places, words of nowhere.
 * Limit of fidelity: it neither understands nor rephrases.
 */
import type { ChatRequest } from './request.ts';
import { extract, isTelling, mainWords, type Sentence, seedOf, shorten, wordsOf } from './words.ts';

const INVENTED = /\[\[invented:(\d{1,3})\]\]/;
const QUOTE_WORDS = 40;

interface Quoted {
  page: number;
  words: string;
}

const pageMark = /^\[Page (\d{1,5})\]$/;

/** The sentences of the pages between the lines that frame them, words broken at a line's end made whole. */
function sentencesOfPages(text: string): Sentence[] {
  const framed =
    /^-{3,} begin of document .*?-{3,}\n([\s\S]*?)\n-{3,} end of document /m.exec(text)?.[1] ?? text;
  const pages: Array<{ page: number; text: string }> = [];
  for (const line of framed.replace(/\[\[[a-z]+:[^\]]*\]\]/gi, '').split('\n')) {
    const mark = pageMark.exec(line);
    if (mark) pages.push({ page: Number(mark[1]), text: '' });
    else if (pages.length > 0) {
      const last = pages[pages.length - 1]!;
      last.text = /\p{L}[-\u00ad]$/u.test(last.text) ? last.text.slice(0, -1) + line : `${last.text} ${line}`;
    }
  }
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
  return pages.flatMap(({ page, text: said }) =>
    [...segmenter.segment(said.replace(/\s+/g, ' '))]
      .map(({ segment }) => ({ text: segment.trim(), page }))
      .filter(({ text: sentence }) => sentence.length > 20),
  );
}

/** The start of a sentence as a model would copy it. */
const quoteOf = ({ text, page }: Sentence): Quoted => ({
  page: page ?? 1,
  words: text.split(' ').slice(0, QUOTE_WORDS).join(' '),
});

/** A quote that no page has, near enough to a true one to look like it. */
function invent({ page, words }: Quoted, other: Quoted, seed: number): Quoted {
  const all = words.split(' ');
  const half = Math.ceil(all.length / 2);
  if (seed % 4 === 0 && /\d/.test(words))
    return { page, words: words.replace(/\d/, (figure) => String((Number(figure) + 3) % 10)) };
  if (seed % 4 === 1)
    return { page, words: [...all.slice(0, half), 'not', 'ever', ...all.slice(half)].join(' ') };
  if (seed % 4 === 2 && other.words !== words)
    return { page, words: [...all.slice(0, half), ...other.words.split(' ').slice(-half)].join(' ') };
  return {
    page,
    words: `The auditors of ${all[0]} praised these unforeseen results in their closing letter`,
  };
}

function quoting(sentences: Sentence[], share: number): (sentence: Sentence, turn: number) => Quoted {
  return (sentence, turn) => {
    const quote = quoteOf(sentence);
    const seed = seedOf(`${turn} ${quote.words}`);
    if (seed % 100 >= share) return quote;
    const other = sentences[(seed >> 3) % sentences.length] ?? sentence;
    return invent(quote, quoteOf(other), (seed >> 7) + turn);
  };
}

function part(text: string, share: number): object {
  const sentences = sentencesOfPages(text);
  const quote = quoting(sentences, share);
  const chosen = extract(sentences, 6);
  const asked = extract(
    sentences.filter((sentence) => !chosen.includes(sentence)),
    3,
  );
  return {
    statements: chosen.map((sentence, turn) => ({
      text: shorten(sentence.text, 220),
      quotes: [quote(sentence, turn)],
    })),
    questions: (asked.length > 0 ? asked : chosen.slice(0, 2)).map((sentence, turn) => {
      const about = mainWords(sentence.text, 2).map(({ word }) => word);
      return {
        question: `What does page ${sentence.page} say about ${about.join(' and ') || 'this'}?`,
        answer: shorten(sentence.text, 260),
        quotes: [quote(sentence, turn + 50)],
      };
    }),
    keywords: mainWords(sentences.map((sentence) => sentence.text).join(' '), 12).map(({ word }) => word),
  };
}

/** The numbered lines below a heading. */
function numbered(text: string, heading: string): string[] {
  const below = text.split(`${heading}:\n`)[1]?.split('\n\n')[0] ?? '';
  return below.split('\n').map((line) => line.replace(/^\d+\. /, ''));
}

function merged(text: string): object {
  const statements = numbered(text, 'Statements').map((said, index) => ({ text: said, page: index }));
  const chosen = extract(statements, 10);
  return {
    summary: chosen.map(({ text: said, page }) => ({ text: said, from: [(page ?? 0) + 1] })),
    questions: numbered(text, 'Questions')
      .slice(0, 8)
      .map((_, index) => index + 1),
  };
}

function answer(text: string, share: number): object {
  const question = text.split('\n\nThe question:\n').at(-1) ?? '';
  const wanted = new Set(
    wordsOf(question)
      .filter(isTelling)
      .map((word) => word.toLowerCase()),
  );
  const sentences = sentencesOfPages(text);
  const quote = quoting(sentences, share);
  const shared = (sentence: Sentence) =>
    new Set(wordsOf(sentence.text).filter((word) => wanted.has(word.toLowerCase()))).size;
  const fitting = sentences
    .map((sentence) => ({ sentence, score: shared(sentence) }))
    .filter(({ score }) => score >= Math.min(2, wanted.size) && score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 3);
  return {
    answered: fitting.length > 0,
    statements: fitting.map(({ sentence }, turn) => ({
      text: shorten(sentence.text, 260),
      quotes: [quote(sentence, turn)],
    })),
  };
}

/** The JSON of an answer about a document, or null for any other request. `markers`: whether they are obeyed. */
export function composeDocument({ messages }: ChatRequest, markers: boolean): string | null {
  const system = messages.find(({ role }) => role === 'system')?.text ?? '';
  // What follows may say what was wrong with the answer.
  const text = messages.find(({ role }) => role === 'user')?.text ?? '';
  const share = markers ? Number(INVENTED.exec(text)?.[1] ?? 0) : 0;
  if (/work through one part of a document/i.test(system)) return JSON.stringify(part(text, share));
  if (/found in the parts of one document/i.test(system)) return JSON.stringify(merged(text));
  if (/question about a document from passages/i.test(system)) return JSON.stringify(answer(text, share));
  return null;
}
