import { z } from 'zod/mini';
import type { GenerationState } from '../generations/contract.ts';

export const textTypes = ['blog', 'article', 'copy', 'social', 'email'] as const;
export type TextType = (typeof textTypes)[number];
export const tones = ['professional', 'casual', 'creative', 'academic'] as const;
export type Tone = (typeof tones)[number];
export const lengths = ['short', 'medium', 'long'] as const;
export type Length = (typeof lengths)[number];

/** What the controls call them. */
export const typeNames: Record<TextType, string> = {
  blog: 'Blog post',
  article: 'Article',
  copy: 'Marketing copy',
  social: 'Social media post',
  email: 'Email',
};
export const toneNames: Record<Tone, string> = {
  professional: 'Professional',
  casual: 'Casual',
  creative: 'Creative',
  academic: 'Academic',
};

export interface WordRange {
  name: string;
  /** Words, both included. */
  least: number;
  most: number;
}

/** What each length promises. */
export const wordRanges: Record<Length, WordRange> = {
  short: { name: 'Short', least: 300, most: 500 },
  medium: { name: 'Medium', least: 800, most: 1200 },
  long: { name: 'Long', least: 1500, most: 2000 },
};

export const writerLimits = {
  /** UTF-16 units of a prompt, of a passage that is edited, and of a wish in one's own words. */
  prompt: 8_000,
  selection: 12_000,
  instruction: 1_000,
} as const;

/** What a text is asked to be. */
export interface WriterSettings {
  type: TextType;
  tone: Tone;
  length: Length;
  prompt: string;
}

export const defaultSettings: Omit<WriterSettings, 'prompt'> = {
  type: 'blog',
  tone: 'professional',
  length: 'medium',
};

// The schemas are marked as pure, so that a page that needs only the names does not load the validator.

/** Body of `POST /api/write`. With `workId` the text becomes another version of that work. */
export const writeRequest = /* @__PURE__ */ (() =>
  z.object({
    prompt: z.string().check(z.maxLength(writerLimits.prompt)),
    tone: z.optional(z.enum(tones)),
    length: z.optional(z.enum(lengths)),
    type: z.optional(z.enum(textTypes)),
    workId: z.optional(z.nullable(z.uuid())),
  }))();

export const editActions = ['shorten', 'expand', 'tone', 'fix', 'custom'] as const;
export type EditAction = (typeof editActions)[number];

/** Body of `POST /api/write/:id/edits`: a passage of a version, `from` its first UTF-16 unit in the Markdown. */
export const editRequest = /* @__PURE__ */ (() =>
  z.object({
    versionId: z.uuid(),
    from: z.int().check(z.nonnegative()),
    text: z.string().check(z.minLength(1), z.maxLength(writerLimits.selection)),
    action: z.enum(editActions),
    tone: z.optional(z.enum(tones)),
    instruction: z.optional(z.string().check(z.maxLength(writerLimits.instruction))),
  }))();
export type EditRequest = z.infer<typeof editRequest>;

/** Body of `POST /api/write/:id/continue`: a version that was stopped or interrupted. */
export const continueRequest = /* @__PURE__ */ (() => z.object({ versionId: z.uuid() }))();

/** Answer of `POST /api/write` that waits for the end; a failure is `{ error, code, requestId }`. */
export interface WriteAnswer {
  content: string;
  creditsUsed: number;
  words: number;
  /** In words, where the text is outside of its range or came to no end. */
  note: string | null;
  work: { id: string };
  version: { id: string };
  generation: { id: string; state: GenerationState };
}

export const writerTexts = {
  failed: 'API call failed',
  blankPrompt: 'Please describe what you want to write.',
  success: 'Content generated successfully.',
  changed: 'The passage has changed meanwhile, so the suggestion cannot be placed. Please select it again.',
  notSaved: 'Not saved: the connection was lost. It is tried again.',
  apart: 'Saved as a version of its own.',
  complete: 'This text is complete. Only a text that was stopped can be continued.',
  blankInstruction: 'Please say what should change.',
} as const;

/** Stands in a run's text before a text that is written anew: what counts is what follows the last one. */
const ANEW = '\f';

/** The part of a run's text that counts. */
export const keptText = (text: string): string => text.slice(text.lastIndexOf(ANEW) + 1);

/** The text that a run began with, which is whole once another one is written behind it. */
export const draftText = (text: string): string => text.slice(0, `${text}${ANEW}`.indexOf(ANEW));

/** The text that is being replaced by what comes now; null before a first correction. */
export function replacedText(text: string): string | null {
  const end = text.lastIndexOf(ANEW);
  return end < 0 ? null : text.slice(text.lastIndexOf(ANEW, end - 1) + 1, end);
}

/** How a number of words stands to a range. */
export function fitOf(words: number, { least, most }: WordRange): 'short' | 'in' | 'over' {
  return words < least ? 'short' : words > most ? 'over' : 'in';
}

const figures = new Intl.NumberFormat('en-US');

/** 300–500 words. */
export const inWords = ({ least, most }: WordRange): string =>
  `${figures.format(least)}–${figures.format(most)} words`;

/** What a text says of itself that did not get into its range; null for one that did. */
export function lengthNote(words: number, range: WordRange): string | null {
  const fit = fitOf(words, range);
  if (fit === 'in') return null;
  const side = fit === 'short' ? 'shorter' : 'longer';
  return `This text has ${figures.format(words)} ${words === 1 ? 'word' : 'words'}: ${side} than the ${inWords(range)} asked for, after one correction.`;
}
