import { TOKEN_BYTES } from '../../../shared/tokens.ts';
import { common, fold, remembering } from '../letters/service.server.ts';
import { LONGEST_WORD } from '../lookup/service.server.ts';
import type { Rest } from '../pace/service.server.ts';

interface TextPage {
  page: number;
  text: string;
}

/** Some lines of a page. */
interface Passage extends TextPage {
  /** Place in the document. */
  at: number;
  /** How many words it has, and how often those of the question. */
  length: number;
  found: Map<string, number>;
}

const LINES = 8;
/** Words that are read between two looks at the clock. */
const STRETCH = 200;
/** Parameters of BM25 as they are mostly set (Robertson and Zaragoza, 2009). */
const K1 = 1.2;
const B = 0.75;

/** A word without the endings that English words change by; of others the same beginning for all. */
const stem = (word: string) => (word.length > 4 ? word.replace(/(?:ing|ed|es|s|ly)$/, '') : word);

/** Han and Kana signs by pairs, everything else whole. */
function termsOf(word: string): string[] {
  const folded = fold(word);
  if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(folded))
    return folded ? [stem(folded)] : [];
  return [...folded].map((sign, index, all) => sign + (all[index + 1] ?? ''));
}

/** The lines of a page, eight by eight. */
function* passagesOf(text: string): Generator<string> {
  const lines = text.split('\n');
  for (let line = 0; line < lines.length; line += LINES)
    // The line before belongs to the first sentence, mostly.
    yield lines.slice(Math.max(0, line - 1), line + LINES).join('\n');
}

/** The passages of a document with what they have of the words of a question. */
async function read(pages: readonly TextPage[], wanted: ReadonlySet<string>, rest: Rest): Promise<Passage[]> {
  const terms = remembering(termsOf);
  const passages: Passage[] = [];
  let words = 0;
  for (const { page, text } of pages) {
    for (const said of passagesOf(text)) {
      const found = new Map<string, number>();
      let length = 0;
      for (const [word] of said.matchAll(/\S+/g)) {
        for (const term of word.length > LONGEST_WORD ? [] : terms(word)) {
          length++;
          if (wanted.has(term)) found.set(term, (found.get(term) ?? 0) + 1);
        }
        if (++words % STRETCH === 0) await rest();
      }
      passages.push({ at: passages.length, page, text: said, length, found });
    }
    await rest();
  }
  return passages;
}

/** The passages whose words fit a question best, by BM25. */
function ranked(passages: Passage[], wanted: ReadonlySet<string>): Passage[] {
  const mean = passages.reduce((sum, { length }) => sum + length, 0) / Math.max(1, passages.length);
  const weight = new Map(
    [...wanted].map((term) => {
      const holding = passages.filter(({ found }) => found.has(term)).length;
      return [term, Math.log(1 + (passages.length - holding + 0.5) / (holding + 0.5))];
    }),
  );
  const scores = passages.map(({ found, length }) => {
    const long = length / Math.max(1, mean);
    let score = 0;
    for (const [term, n] of found)
      score += (weight.get(term)! * n * (K1 + 1)) / (n + K1 * (1 - B + B * long));
    return score;
  });
  const fitting = passages.filter(({ at }) => scores[at]! > 0);
  fitting.sort((a, b) => scores[b.at]! - scores[a.at]! || a.at - b.at);
  return [...fitting, ...passages.filter(({ at }) => scores[at] === 0)];
}

/** The beginning of a text, of so many bytes at most. */
const cut = (text: string, bytes: number) =>
  Buffer.byteLength(text) <= bytes
    ? text
    : Buffer.from(text)
        .subarray(0, bytes)
        .toString()
        .replace(/\ufffd+$/, '');

/**
 * The parts of a document that fit a question, as many as `tokens` hold, in the order of the document. Where no word
 * of the question stands in it, its beginning.
 */
export async function passagesFor(
  pages: readonly TextPage[],
  { question, tokens, rest }: { question: string; tokens: number; rest: Rest },
): Promise<TextPage[]> {
  const asked = question.split(/\s+/).flatMap(termsOf);
  const wanted = new Set(asked.filter((term) => !common.has(term)));
  let left = Math.floor(tokens * TOKEN_BYTES);
  const chosen: Passage[] = [];
  for (const passage of ranked(await read(pages, wanted, rest), wanted)) {
    const text = chosen.length === 0 ? cut(passage.text, left) : passage.text;
    left -= Buffer.byteLength(text) + 16;
    if (left < 0 && chosen.length > 0) break;
    chosen.push({ ...passage, text });
  }
  chosen.sort((a, b) => a.at - b.at);
  return chosen.map(({ page, text }) => ({ page, text }));
}
