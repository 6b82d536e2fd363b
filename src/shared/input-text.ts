import { cleanText } from './clean-text.ts';

/**
 * Characters that can only deceive: control characters except tab and line break, direction marks, zero-width
 * characters (except joiners, which scripts and emoji need), lone surrogates.
 */
const hidden =
  /[\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;

export const cleanInput = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(hidden, '')
    .trim();

export const cleanInputLine = (text: string): string => cleanInput(text).replace(/\s+/g, ' ');

export const visibleText = (text: string): string => (cleanInput(text) === '' ? '' : cleanText(text).trim());

/** Limits are in code points. */
export const codePointLength = (text: string): number => [...text].length;
