/**
 * An object that follows a JSON schema, filled from the input. Known: type (also a list), properties, items,
 * prefixItems, enum, const, anyOf, oneOf, allOf, $ref into the same schema, minItems, maxItems, minLength,
 * maxLength, minimum, maximum and their exclusive forms, multipleOf, format (date, date-time, email, uri, uuid).
 * Limit of fidelity: pattern, not, if/then and dependencies are not solved.
 */
import { isRecord } from '../http.ts';
import { composeTitle } from './compose.ts';
import { extract, mainWords, type Sentence, seedOf, sentencesOf, shorten } from './words.ts';

type Schema = Record<string, unknown>;

interface Source {
  text: string;
  sentences: Sentence[];
  words: string[];
  /** Goes up with each value, so that list items differ. */
  turn: number;
  root: Schema;
}

const MAX_DEPTH = 12;

function resolveRef(schema: Schema, root: Schema): Schema {
  let now = schema;
  for (let hop = 0; hop < 8 && typeof now.$ref === 'string'; hop++) {
    let target: unknown = root;
    for (const key of now.$ref.replace(/^#\/?/, '').split('/').filter(Boolean))
      target = isRecord(target) ? target[key.replace(/~1/g, '/').replace(/~0/g, '~')] : undefined;
    if (!isRecord(target)) return {};
    now = target;
  }
  return now;
}

/** One plain schema out of $ref, allOf and the first branch of anyOf and oneOf that is not null. */
function settle(schema: Schema, root: Schema): Schema {
  const now = resolveRef(schema, root);
  const branches = [now.anyOf, now.oneOf].find(Array.isArray);
  const branch = branches?.filter(isRecord).find((option) => option.type !== 'null');
  const whole: Schema = { ...now, anyOf: undefined, oneOf: undefined, allOf: undefined };
  const properties: Schema = isRecord(now.properties) ? { ...now.properties } : {};
  for (const part of [...(Array.isArray(now.allOf) ? now.allOf : []), branch]) {
    if (!isRecord(part)) continue;
    const add = settle(part, root);
    Object.assign(properties, add.properties);
    Object.assign(whole, add);
  }
  return Object.keys(properties).length > 0 ? { ...whole, properties } : whole;
}

function typeOf(schema: Schema): string {
  const type = Array.isArray(schema.type) ? schema.type.find((name) => name !== 'null') : schema.type;
  if (typeof type === 'string') return type;
  if (schema.properties) return 'object';
  return schema.items || schema.prefixItems ? 'array' : 'string';
}

function num(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function sentence(source: Source): Sentence {
  const { sentences } = source;
  return sentences[source.turn % Math.max(1, sentences.length)] ?? { text: source.text, page: null };
}

function textFor(schema: Schema, name: string, source: Source): string {
  const format = typeof schema.format === 'string' ? schema.format : '';
  const word = source.words[source.turn % Math.max(1, source.words.length)] ?? 'words';
  if (format === 'date-time') return '2026-01-01T00:00:00Z';
  if (format === 'date') return '2026-01-01';
  if (format === 'email') return `${word.toLowerCase().replace(/[^a-z0-9]/g, '') || 'someone'}@example.com`;
  if (format === 'uri' || format === 'url') return `https://example.com/${encodeURIComponent(word)}`;
  if (format === 'uuid')
    return `00000000-0000-4000-8000-${seedOf(source.text + source.turn)
      .toString(16)
      .padStart(12, '0')}`;
  let text = shorten(sentence(source).text, 400);
  if (/title|heading|headline|subject|label/i.test(name))
    text = source.turn < 2 ? composeTitle(source.text) : composeTitle(sentence(source).text);
  else if (/summary|overview|abstract|description/i.test(name))
    text =
      extract(source.sentences, 3)
        .map((s) => s.text)
        .join(' ') || text;
  else if (/word|keyword|tag|topic|term|name|category/i.test(name)) text = word;
  const least = num(schema.minLength) ?? 0;
  while (text.length < least) text = `${text} ${word}`;
  return text.slice(0, num(schema.maxLength) ?? 4000).toWellFormed();
}

function numberFor(schema: Schema, name: string, source: Source, whole: boolean): number {
  const step = num(schema.multipleOf) ?? (whole ? 1 : 0);
  const above = num(schema.exclusiveMinimum);
  const below = num(schema.exclusiveMaximum);
  const least = num(schema.minimum) ?? (above === null ? null : above + (step || 0.001));
  const most = num(schema.maximum) ?? (below === null ? null : below - (step || 0.001));
  let value = sentence(source).text.length;
  if (/page/i.test(name)) value = sentence(source).page ?? 1;
  else if (/count|words|length/i.test(name)) value = source.words.length;
  if (least !== null && most !== null && (value < least || value > most))
    value = least + (value % Math.max(1, Math.floor(most - least) + 1));
  if (step > 0) value = Math.ceil(value / step) * step;
  if (most !== null && value > most) value = most;
  return least !== null && value < least ? least : value;
}

function choiceOf(options: unknown[], source: Source): unknown {
  const text = source.text.toLowerCase();
  return (
    options.find((option) => typeof option === 'string' && text.includes(option.toLowerCase())) ?? options[0]
  );
}

function arrayFor(schema: Schema, name: string, source: Source, depth: number): unknown[] {
  if (Array.isArray(schema.prefixItems))
    return schema.prefixItems.map((item) => fill(isRecord(item) ? item : {}, name, source, depth + 1));
  const least = num(schema.minItems) ?? 0;
  const most = num(schema.maxItems) ?? 1000;
  const count = depth >= MAX_DEPTH ? least : Math.min(most, Math.max(least, 3));
  const items = isRecord(schema.items) ? schema.items : {};
  const singular = name.replace(/s$/, '');
  return Array.from({ length: count }, () => {
    source.turn += 1;
    return fill(items, singular, source, depth + 1);
  });
}

function fill(schema: Schema, name: string, source: Source, depth: number): unknown {
  const plain = settle(schema, source.root);
  if ('const' in plain) return plain.const;
  if (Array.isArray(plain.enum) && plain.enum.length > 0) return choiceOf(plain.enum, source);
  const type = typeOf(plain);
  if (type === 'object') {
    const properties = isRecord(plain.properties) ? plain.properties : {};
    const required = new Set(Array.isArray(plain.required) ? plain.required : []);
    const names = Object.keys(properties).filter((key) => depth < MAX_DEPTH || required.has(key));
    return Object.fromEntries(
      names.map((key) => [
        key,
        fill(isRecord(properties[key]) ? properties[key] : {}, key, source, depth + 1),
      ]),
    );
  }
  if (depth > MAX_DEPTH * 4) return null;
  if (type === 'array') return arrayFor(plain, name, source, depth);
  if (type === 'integer') return numberFor(plain, name, source, true);
  if (type === 'number') return numberFor(plain, name, source, false);
  if (type === 'boolean') return source.text.toLowerCase().includes(name.toLowerCase());
  if (type === 'null') return null;
  return textFor(plain, name, source);
}

/** JSON text that follows `schema`; for {} an object with the answer's parts. */
export function composeJson(schema: Schema, text: string): string {
  const sentences = sentencesOf(text);
  const words = mainWords(text, 12).map(({ word }) => word);
  const start: Schema =
    Object.keys(schema).length > 0
      ? schema
      : { type: 'object', properties: { title: {}, summary: {}, words: { type: 'array' } } };
  return JSON.stringify(fill(start, '', { text, sentences, words, turn: 0, root: start }, 0));
}
