import { cleanText } from '#shared/clean-text.ts';

/** Reads untrusted JSON: returns '' if the value has another type. The functions below have empty values as well. */
export const asText = (value: unknown): string => (typeof value === 'string' ? cleanText(value) : '');

export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export type Fields = Readonly<Record<string, unknown>>;

const emptyFields: Fields = Object.freeze(Object.create(null));

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asObject = (value: unknown): Fields => (isObject(value) ? value : emptyFields);

const MAX_ID_LENGTH = 200;

/** Returns null if the value is not a usable id. */
export function asId(value: unknown): string | null {
  const text = asText(value);
  return text !== '' && text.length <= MAX_ID_LENGTH ? text : null;
}

/** Returns milliseconds from seconds (ChatGPT) or from a date string; null if it is neither. */
export function asTime(value: unknown): number | null {
  const at =
    typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  // Within the range of both PostgreSQL and JavaScript.
  return at >= 0 && at <= Date.UTC(9999, 0) ? Math.round(at) : null;
}
