import { cleanText } from '#shared/clean-text.ts';

/** What a file from outside has where a text, a list, an object or a time should be. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? cleanText(value) : '');

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export type Fields = Readonly<Record<string, unknown>>;

const none: Fields = Object.freeze(Object.create(null));

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): Fields => (isObject(value) ? value : none);

const ID = 200;

/** Null for what names nothing. */
export function idOf(value: unknown): string | null {
  const text = textOf(value);
  return text !== '' && text.length <= ID ? text : null;
}

/** Milliseconds from seconds, as ChatGPT has them, or from a text. */
export function timeOf(value: unknown): number | null {
  const at =
    typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  // What PostgreSQL and JavaScript both take.
  return at >= 0 && at <= Date.UTC(9999, 0) ? Math.round(at) : null;
}
