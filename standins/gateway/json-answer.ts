/**
 * Answers that match a JSON schema. Supported: type (also a list), properties, items, prefixItems, enum, const, anyOf,
 * oneOf, allOf, $ref into the same schema, minItems, maxItems, minLength, maxLength, minimum, maximum and their
 * exclusive forms, multipleOf, format (date, date-time, email, uri, uuid). With markers on, [[invented:40]] in a
 * document makes 40 percent of the quotes false. Limits of fidelity: pattern, not, if/then and dependencies are
 * ignored; nothing is understood or rephrased.
 */
import { isRecord } from '../http.ts';
import { titleOf } from './prose.ts';
import {
  extract,
  framedText,
  isContentWord,
  mainWords,
  ranked,
  type Sentence,
  seedOf,
  sentencesOf,
  shorten,
  wordsOf,
} from './text.ts';

type Schema = Record<string, unknown>;

interface Source {
  text: string;
  root: Schema;
  sentences: Sentence[];
  ranking: Sentence[];
  words: string[];
  used: number;
  /** Number of quotes so far, and the percentage that is false. */
  quotes: number;
  invented: number;
}

interface Place {
  name: string;
  depth: number;
  /** Index in the nearest list, or null outside lists. */
  index: number | null;
  sentence: Sentence;
  inQuote: boolean;
}

const MAX_DEPTH = 12;
const LIST = 6;
const WORDS = 12;
const QUOTE_WORDS = 40;

function resolveRef(schema: Schema, root: Schema): Schema {
  let resolved = schema;
  for (let hop = 0; hop < 8 && typeof resolved.$ref === 'string'; hop++) {
    let target: unknown = root;
    for (const key of resolved.$ref.replace(/^#\/?/, '').split('/').filter(Boolean))
      target = isRecord(target) ? target[key.replace(/~1/g, '/').replace(/~0/g, '~')] : undefined;
    if (!isRecord(target)) return {};
    resolved = target;
  }
  return resolved;
}

function flatten(schema: Schema, root: Schema): Schema {
  const resolved = resolveRef(schema, root);
  const branches = [resolved.anyOf, resolved.oneOf].find(Array.isArray);
  const branch = branches?.filter(isRecord).find((option) => option.type !== 'null');
  const merged: Schema = { ...resolved, anyOf: undefined, oneOf: undefined, allOf: undefined };
  const properties: Schema = isRecord(resolved.properties) ? { ...resolved.properties } : {};
  for (const part of [...(Array.isArray(resolved.allOf) ? resolved.allOf : []), branch]) {
    if (!isRecord(part)) continue;
    const flattened = flatten(part, root);
    Object.assign(properties, flattened.properties);
    Object.assign(merged, flattened);
  }
  return Object.keys(properties).length > 0 ? { ...merged, properties } : merged;
}

function typeOf(schema: Schema): string {
  const type = Array.isArray(schema.type) ? schema.type.find((name) => name !== 'null') : schema.type;
  if (typeof type === 'string') return type;
  if (schema.properties) return 'object';
  return schema.items || schema.prefixItems ? 'array' : 'string';
}

const num = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null);

function inventedQuote(quote: string, other: string, seed: number): string {
  const all = quote.split(' ');
  const half = Math.ceil(all.length / 2);
  if (seed % 4 === 0 && /\d/.test(quote))
    return quote.replace(/\d/, (figure) => String((Number(figure) + 3) % 10));
  if (seed % 4 === 1) return [...all.slice(0, half), 'not', 'ever', ...all.slice(half)].join(' ');
  if (seed % 4 === 2 && other !== quote)
    return [...all.slice(0, half), ...other.split(' ').slice(-half)].join(' ');
  return `The auditors of ${all[0]} praised these unforeseen results in their closing letter`;
}

function quoteOf(source: Source, { text }: Sentence): string {
  const start = (text: string) => text.split(' ').slice(0, QUOTE_WORDS).join(' ');
  source.quotes += 1;
  const seed = seedOf(`${source.quotes} ${text}`);
  if (seed % 100 >= source.invented) return start(text);
  const other = source.sentences[(seed >>> 3) % source.sentences.length]?.text ?? text;
  return inventedQuote(start(text), start(other), (seed >>> 7) + source.quotes);
}

function textByName(name: string, source: Source, { index, sentence, inQuote }: Place, word: string): string {
  const { text, page } = sentence;
  if (inQuote) return quoteOf(source, sentence);
  if (/^question/i.test(name)) {
    const about = mainWords(text, 2).map((main) => main.word);
    return `What does ${page === null ? 'it' : `page ${page}`} say about ${about.join(' and ') || 'this'}?`;
  }
  if (/title|heading|headline|subject|label/i.test(name)) return titleOf(index === null ? source.text : text);
  if (/summary|overview|abstract|description/i.test(name))
    return (
      extract(source.sentences, 3)
        .map((each) => each.text)
        .join(' ') || text
    );
  return /word|keyword|tag|topic|term|name|category/i.test(name) ? word : shorten(text, 260);
}

function textFor(schema: Schema, source: Source, place: Place): string {
  const word = source.words[(place.index ?? 0) % Math.max(1, source.words.length)] ?? 'words';
  const seed = seedOf(`${source.text}${place.name}${place.index}`);
  const formats: Record<string, string> = {
    'date-time': '2026-01-01T00:00:00Z',
    date: '2026-01-01',
    email: `${word.toLowerCase().replace(/[^a-z0-9]/g, '') || 'someone'}@example.com`,
    uri: `https://example.com/${encodeURIComponent(word)}`,
    url: `https://example.com/${encodeURIComponent(word)}`,
    uuid: `00000000-0000-4000-8000-${seed.toString(16).padStart(12, '0')}`,
  };
  const format = formats[String(schema.format)];
  if (format) return format;
  let text = textByName(place.name, source, place, word);
  while (text.length < (num(schema.minLength) ?? 0)) text = `${text} ${word}`;
  return text.slice(0, num(schema.maxLength) ?? 4000).toWellFormed();
}

function numberFor(
  schema: Schema,
  source: Source,
  { name, index, sentence }: Place,
  isInteger: boolean,
): number {
  const step = num(schema.multipleOf) ?? (isInteger ? 1 : 0);
  const exclusiveMin = num(schema.exclusiveMinimum);
  const below = num(schema.exclusiveMaximum);
  const min = num(schema.minimum) ?? (exclusiveMin === null ? null : exclusiveMin + (step || 0.001));
  const max = num(schema.maximum) ?? (below === null ? null : below - (step || 0.001));
  let value = sentence.text.length;
  if (/page/i.test(name)) value = sentence.page ?? 1;
  else if (/count|words|length/i.test(name)) value = source.words.length;
  // In a list of numbers: the number of a text in the input.
  else if (index !== null && name === '') value = sentence.page ?? index + 1;
  if (min !== null && max !== null && (value < min || value > max))
    value = min + (value % Math.max(1, Math.floor(max - min) + 1));
  if (step > 0) value = Math.ceil(value / step) * step;
  if (max !== null && value > max) value = max;
  return min !== null && value < min ? min : value;
}

function choiceOf(options: unknown[], source: Source): unknown {
  const text = source.text.toLowerCase();
  return options.find((option) => text.includes(String(option).toLowerCase())) ?? options[0];
}

/** Fills a list. A nested list is about its item's sentence; any other takes the next sentences of the text. */
function arrayFor(schema: Schema, source: Source, place: Place): unknown[] {
  const items = isRecord(schema.items) ? flatten(schema.items, source.root) : {};
  const depth = place.depth + 1;
  const placeOf = (index: number, sentence = place.sentence): Place => {
    const name = typeOf(items) === 'integer' ? '' : place.name.replace(/s$/, '');
    return { name, depth, index, sentence, inQuote: /quote/i.test(place.name) };
  };
  if (Array.isArray(schema.prefixItems))
    return schema.prefixItems.map((item, index) => fill(isRecord(item) ? item : {}, source, placeOf(index)));
  const min = num(schema.minItems) ?? 0;
  const max = num(schema.maxItems) ?? 1000;
  const clamp = (count: number) => Math.min(max, Math.max(min, depth >= MAX_DEPTH ? 0 : count));
  if (place.index !== null)
    return Array.from({ length: clamp(1) }, () => fill(items, source, placeOf(place.index!)));
  if (typeOf(items) === 'string')
    return Array.from({ length: clamp(Math.min(WORDS, source.words.length)) }, (_, index) =>
      fill(items, source, placeOf(index)),
    );
  const { sentences, ranking, used } = source;
  const count = clamp(Math.min(LIST, ranking.length));
  source.used += count;
  const chosen = Array.from({ length: count }, (_, n) => ranking[(used + n) % ranking.length]!);
  chosen.sort((a, b) => sentences.indexOf(a) - sentences.indexOf(b));
  return chosen.map((sentence, index) => fill(items, source, placeOf(index, sentence)));
}

function fill(schema: Schema, source: Source, place: Place): unknown {
  const plain = flatten(schema, source.root);
  const { name, depth } = place;
  if ('const' in plain) return plain.const;
  if (Array.isArray(plain.enum) && plain.enum.length > 0) return choiceOf(plain.enum, source);
  const type = typeOf(plain);
  if (type === 'object') {
    const properties = isRecord(plain.properties) ? plain.properties : {};
    const required = new Set(Array.isArray(plain.required) ? plain.required : []);
    const names = Object.keys(properties).filter((key) => depth < MAX_DEPTH || required.has(key));
    const valueAt = (key: string) =>
      fill(isRecord(properties[key]) ? properties[key] : {}, source, {
        ...place,
        name: key,
        depth: depth + 1,
      });
    return Object.fromEntries(names.map((key) => [key, valueAt(key)]));
  }
  if (depth > MAX_DEPTH * 4 || type === 'null') return null;
  if (type === 'array') return arrayFor(plain, source, place);
  if (type === 'integer' || type === 'number') return numberFor(plain, source, place, type === 'integer');
  if (type === 'boolean')
    return name === 'answered'
      ? source.sentences.length > 0
      : source.text.toLowerCase().includes(name.toLowerCase());
  return textFor(plain, source, place);
}

/** Splits text with [Page 3] lines into sentences with pages, and rejoins words hyphenated at a line end. */
function sentencesOfPages(text: string): Sentence[] | null {
  const pages: Array<{ page: number; text: string }> = [];
  for (const line of text.split('\n')) {
    const mark = /^\[Page (\d{1,5})\]$/.exec(line);
    const last = pages.at(-1);
    if (mark) pages.push({ page: Number(mark[1]), text: '' });
    else if (last)
      last.text = /\p{L}[-\u00ad]$/u.test(last.text) ? last.text.slice(0, -1) + line : `${last.text} ${line}`;
  }
  const all = pages.flatMap(({ page, text: pageText }) =>
    sentencesOf(pageText).map((each) => ({ ...each, page })),
  );
  return pages.length > 0 ? all.filter((sentence) => sentence.text.length > 20) : null;
}

/** Returns the best three sentences that share two words with a question (or its only word), best first. */
function relatedSentences(sentences: Sentence[], question: string): Sentence[] {
  const lower = (text: string) => wordsOf(text).map((word) => word.toLowerCase());
  const questionWords = new Set(lower(question).filter(isContentWord));
  const scored = sentences.map((sentence) => {
    return { sentence, score: new Set(lower(sentence.text).filter((word) => questionWords.has(word))).size };
  });
  const matching = scored.filter(({ score }) => score > 0 && score >= Math.min(2, questionWords.size));
  return matching
    .sort((a, b) => b.score - a.score)
    .slice(0, 3)
    .map(({ sentence }) => sentence);
}

function relevantSentences(text: string): Sentence[] {
  const pages = sentencesOfPages((framedText(text) ?? text).replace(/\[\[[a-z]+:[^\]]*\]\]/gi, ''));
  const question = text.split('\n\nThe question:\n')[1];
  if (pages) return question ? relatedSentences(pages, question) : pages;
  const numbered = [...text.split('\n\n')[0]!.matchAll(/^(\d{1,4})\. (.+)$/gm)];
  if (numbered.length > 0) return numbered.map(([, n, sentence]) => ({ text: sentence!, page: Number(n) }));
  return sentencesOf(text);
}

export function answerInJson(schema: Schema, text: string, markers = false): string {
  const sentences = relevantSentences(text);
  const allText = sentences.map((sentence) => sentence.text).join(' ') || text;
  const root: Schema =
    Object.keys(schema).length > 0
      ? schema
      : { type: 'object', properties: { title: {}, summary: {}, words: { type: 'array' } } };
  const source: Source = {
    ...{ text, root, sentences, ranking: ranked(sentences), used: 0, quotes: 0 },
    words: mainWords(allText, WORDS).map(({ word }) => word),
    invented: markers ? Number(/\[\[invented:(\d{1,3})\]\]/.exec(text)?.[1] ?? 0) : 0,
  };
  const sentence = source.ranking[0] ?? { text, page: null };
  return JSON.stringify(fill(root, source, { name: '', depth: 0, index: null, sentence, inQuote: false }));
}
