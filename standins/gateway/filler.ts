/**
 * Text of a wished length. It is honest about what it is: every sentence only says what stands in the request,
 * in varied words, because the stand-in knows nothing else.
 */
import { isTelling, mainWords, type Sentence, sentencesOf, shorten, wordsOf } from './words.ts';

type Template = (a: string, b: string, quote: string, count: number) => string;

const TEMPLATES: Template[] = [
  (a, _b, _q, n) => `The request names ${a} ${n === 1 ? 'once' : `${n} times`}, so this part stays with it.`,
  (a, b) => `Beside ${a} stands ${b}, and a real model would explain here how the two belong together.`,
  (_a, _b, quote) => `In the words of the request: “${quote}”`,
  (a) => `Whoever asks about ${a} usually wants a reason and an example, and a model would give both.`,
  (a, b) => `First comes ${a}, then ${b}; the order is the one in which they were written.`,
  (a, b) => `It would help to know more about ${a}, above all what it has to do with ${b}.`,
  (a, _b, quote) => `What is said of ${a} can be read again in this line: “${quote}”`,
  (a) => `A careful answer would define ${a} before it goes on.`,
  (a, b) => `Without ${a} the request would be another one, and without ${b} it would be shorter.`,
  (a, b, _q, n) => `Count them: ${a} (${n}), and after it ${b}.`,
  (a) => `This sentence only holds the place where a model would write about ${a}.`,
  (a, b) => `Seen from ${b}, the question about ${a} looks a little different.`,
];

/** Endless sentences about the words of `source`, the same ones for the same source and `seed`. */
function* fillerSentences(source: string, seed: number): Generator<string> {
  const known = mainWords(source, 24);
  const words = known.length > 0 ? known : [{ word: wordsOf(source)[0] ?? 'the request', count: 1 }];
  const quotes: Sentence[] = sentencesOf(source).filter(({ text }) => wordsOf(text).some(isTelling));
  for (let step = 0; ; step++) {
    const a = words[step % words.length]!;
    const b = words[(step * 5 + 1 + (seed % 7)) % words.length]!;
    const quote = shorten(quotes[step % Math.max(1, quotes.length)]?.text ?? source, 140);
    const template = TEMPLATES[(seed + step * 7) % TEMPLATES.length]!;
    yield template(a.word, b.word, quote, a.count);
  }
}

/** Counts words as people do: runs of characters between white space. */
function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

/**
 * Adds paragraphs with small headings to `start` until it has about `count` words, at most one sentence's rest
 * less or more.
 */
export function fillToWords(start: string, source: string, count: number, seed: number): string {
  if (countWords(start) >= count) return start;
  const filler = fillerSentences(source, seed);
  const headings = mainWords(source, 12);
  let text = start;
  let words = countWords(text);
  for (let part = 0; words < count; part++) {
    const paragraph: string[] = [];
    const heading =
      headings.length > 0
        ? `${headings[part % headings.length]!.word}, part ${part + 1}`
        : `Part ${part + 1}`;
    words += countWords(heading) + 1;
    const end = Math.min(count, words + 90);
    while (words < end) {
      const sentence = filler.next().value as string;
      paragraph.push(sentence);
      words += countWords(sentence);
    }
    if (paragraph.length > 0) text += `\n\n## ${heading}\n\n${paragraph.join(' ')}`;
  }
  return text;
}
