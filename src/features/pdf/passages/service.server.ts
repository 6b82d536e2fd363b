import { TOKEN_BYTES } from '../../../shared/tokens.ts';
import { fold, type SourcePage } from '../quotes/service.server.ts';

/** Some lines of a page. */
interface Passage {
  page: number;
  line: number;
  text: string;
  words: string[];
}

const LINES = 8;
/** Parameters of BM25 as they are mostly set (Robertson and Zaragoza, 2009). */
const K1 = 1.2;
const B = 0.75;

/** A word without the endings that English words change by; of others the same beginning for all. */
const stem = (word: string) => (word.length > 4 ? word.replace(/(?:ing|ed|es|s|ly)$/, '') : word);

/** Han and Kana signs by pairs, everything else by words. */
function termsOf(text: string): string[] {
  return text.split(/\s+/).flatMap((word) => {
    const folded = fold(word);
    if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(folded))
      return folded ? [stem(folded)] : [];
    return [...folded].map((sign, index, all) => sign + (all[index + 1] ?? ''));
  });
}

const common = new Set(
  'a an and are as at be been by can did do does for from had has have how i in is it its of on or that the their this to was were what when where which who why will with'.split(
    ' ',
  ),
);

function passagesOf(pages: readonly SourcePage[]): Passage[] {
  return pages.flatMap(({ page, text }) => {
    const lines = text.split('\n');
    const starts = Array.from({ length: Math.ceil(lines.length / LINES) }, (_, index) => index * LINES);
    return starts.map((line) => {
      // The line before belongs to the first sentence, mostly.
      const said = lines.slice(Math.max(0, line - 1), line + LINES).join('\n');
      return { page, line, text: said, words: termsOf(said) };
    });
  });
}

/** The passages whose words fit a question best, by BM25. */
function ranked(passages: Passage[], question: string): Passage[] {
  const wanted = [...new Set(termsOf(question))].filter((term) => !common.has(term));
  const mean = passages.reduce((sum, { words }) => sum + words.length, 0) / Math.max(1, passages.length);
  const counts = passages.map(({ words }) => {
    const found = new Map<string, number>();
    for (const word of words) if (wanted.includes(word)) found.set(word, (found.get(word) ?? 0) + 1);
    return found;
  });
  const weight = new Map(
    wanted.map((term) => {
      const holding = counts.filter((found) => found.has(term)).length;
      return [term, Math.log(1 + (passages.length - holding + 0.5) / (holding + 0.5))];
    }),
  );
  const scores = counts.map((found, index) => {
    const long = passages[index]!.words.length / Math.max(1, mean);
    let score = 0;
    for (const [term, n] of found)
      score += (weight.get(term)! * n * (K1 + 1)) / (n + K1 * (1 - B + B * long));
    return score;
  });
  const order = passages.map((_, index) => index).sort((a, b) => scores[b]! - scores[a]! || a - b);
  return order.map((index) => passages[index]!);
}

/**
 * The parts of a document that fit a question, as many as `tokens` hold, in the order of the document. Where no word
 * of the question stands in it, its beginning.
 */
export function passagesFor(
  pages: readonly SourcePage[],
  question: string,
  tokens: number,
): Array<{ page: number; text: string }> {
  let left = tokens * TOKEN_BYTES;
  const chosen: Passage[] = [];
  for (const passage of ranked(passagesOf(pages), question)) {
    left -= Buffer.byteLength(passage.text) + 16;
    if (left < 0 && chosen.length > 0) break;
    chosen.push(passage);
  }
  chosen.sort((a, b) => a.page - b.page || a.line - b.line);
  return chosen.map(({ page, text }) => ({ page, text }));
}
