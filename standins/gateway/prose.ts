import { isContentWord, mainWords, sentencesOf, shorten, wordsOf } from './text.ts';

const TEMPLATES = [
  'The request names {a} {times}, so this part stays with it.',
  'Beside {a} stands {b}, and a real model would explain here how the two belong together.',
  'In the words of the request: “{quote}”',
  'Whoever asks about {a} usually wants a reason and an example, and a model would give both.',
  'First comes {a}, then {b}; the order is the one in which they were written.',
  'It would help to know more about {a}, above all what it has to do with {b}.',
  'What is said of {a} can be read again in this line: “{quote}”',
  'A careful answer would define {a} before it goes on.',
  'Without {a} the request would be another one, and without {b} it would be shorter.',
  'Count them: {a} ({count}), and after it {b}.',
  'This sentence only holds the place where a model would write about {a}.',
  'Seen from {b}, the question about {a} looks a little different.',
];

/** Generates endless sentences, the same for the same source and `seed`, without the words in `without`. */
export function* sentencesAbout(
  source: string,
  seed: number,
  templates = TEMPLATES,
  excluded: string[] = [],
): Generator<string, never> {
  const known = mainWords(source, 24).filter(({ word }) => !excluded.includes(word.toUpperCase()));
  const words = known.length > 0 ? known : [{ word: wordsOf(source)[0] ?? 'the request', count: 1 }];
  const quotes = sentencesOf(source).filter(({ text }) => wordsOf(text).some(isContentWord));
  for (let step = 0; ; step++) {
    const { word: a, count } = words[step % words.length]!;
    const { word: b } = words[(step * 5 + 1 + (seed % 7)) % words.length]!;
    const quote = shorten(quotes[step % Math.max(1, quotes.length)]?.text ?? source, 140);
    const values: Record<string, string> = {
      ...{ a, b, quote, count: String(count) },
      times: count === 1 ? 'once' : `${count} times`,
    };
    yield templates[(seed + step * 7) % templates.length]!.replace(/\{(\w+)\}/g, (_, name) => values[name]!);
  }
}

const countWords = (text: string) => text.match(/\S+/g)?.length ?? 0;

/** Extends a text to `count` words; the last sentence may exceed it. */
export function fillToWords(start: string, source: string, count: number, seed: number): string {
  const sentences = sentencesAbout(source, seed);
  const headings = mainWords(source, 12).map(({ word }) => `${word}, part`);
  let text = start;
  let words = countWords(text);
  for (let part = 0; words < count; part++) {
    const heading = `${headings[part % Math.max(1, headings.length)] ?? 'Part'} ${part + 1}`;
    words += countWords(heading) + 1;
    const end = Math.min(count, words + 90);
    const paragraph: string[] = [];
    while (words < end) {
      const sentence = sentences.next().value;
      paragraph.push(sentence);
      words += countWords(sentence);
    }
    if (paragraph.length > 0) text += `\n\n## ${heading}\n\n${paragraph.join(' ')}`;
  }
  return text;
}

const LENGTH =
  /(?:\b(?:in|with|of|about|around|roughly|exactly|at least|up to)\s+){0,2}(?:an?\s+)?(\d{1,2}[,.]\d{3}|\d{2,5})(?:\s*(?:-|–|to)\s*\d{2,5})?[\s-]*words?\b:?/i;
const MAX_REQUESTED_WORDS = 6000;

/** Reads a length such as "in 300 words" or "a 1,000-word article"; null without one. */
export function requestedWords(text: string): number | null {
  const match = LENGTH.exec(text);
  return match && Math.min(MAX_REQUESTED_WORDS, Number(match[1]!.replace(/[,.]/g, '')));
}

export function subjectOf(text: string): string {
  return text.replace(LENGTH, ' ').trim() || text;
}

export function titleOf(text: string): string {
  // Speaker labels of a conversation are not part of its subject.
  const withoutSpeakers = text.replace(/^(?:user|assistant): /gim, '');
  const plain = subjectOf(withoutSpeakers).replace(/```[\s\S]*?(?:```|$)/g, ' ');
  const words = wordsOf(plain.trim() === '' ? withoutSpeakers : plain);
  const contentWords = words.filter(isContentWord);
  const chosen = contentWords.length >= 4 ? contentWords.slice(0, 6) : words.slice(0, 6);
  const title = shorten(chosen.join(' '), 70).replace(/ …$/, '');
  return title === '' ? 'Message without words' : title.charAt(0).toUpperCase() + title.slice(1);
}
