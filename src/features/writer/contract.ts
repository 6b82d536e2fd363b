import { z } from 'zod/mini';
import { type GenerationState, RESTART_MARK } from '#features/generations/contract.ts';
import { textLimits, type VersionRow } from '#features/texts/contract.ts';
import { m } from '#messages';
import { asLengthOf, formatTextLength, sizeOf, type TextLength, textLength } from '#shared/text-length.ts';

export const textTypes = ['blog', 'article', 'copy', 'social', 'email'] as const;
export type TextType = (typeof textTypes)[number];
export const tones = ['professional', 'casual', 'creative', 'academic'] as const;
export type Tone = (typeof tones)[number];
export const lengths = ['short', 'medium', 'long'] as const;
export type Length = (typeof lengths)[number];

export const typeNames: Record<TextType, () => string> = {
  blog: m.writer_type_blog,
  article: m.writer_type_article,
  copy: m.writer_type_copy,
  social: m.writer_type_social,
  email: m.writer_type_email,
};
export const toneNames: Record<Tone, () => string> = {
  professional: m.writer_tone_professional,
  casual: m.writer_tone_casual,
  creative: m.writer_tone_creative,
  academic: m.writer_tone_academic,
};

interface RequestedLength {
  name: () => string;
  /** Words. */
  least: number;
  most: number;
}

export const requestedLengths: Record<Length, RequestedLength> = {
  short: { name: m.writer_length_short, least: 300, most: 500 },
  medium: { name: m.writer_length_medium, least: 800, most: 1200 },
  long: { name: m.writer_length_long, least: 1500, most: 2000 },
};

export const writerLimits = {
  /** UTF-16 units. */
  prompt: 8_000,
  selection: 12_000,
  instruction: 1_000,
} as const;

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

/** With `workId` the text becomes a new version of that work. */
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

/** Edits a passage of a version; `from` is its first UTF-16 unit in the Markdown. */
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

/** Adds existing Markdown, under an id that the client chooses. */
export const addTextRequest = /* @__PURE__ */ (() =>
  z.object({ id: z.uuid(), content: z.string().check(z.maxLength(textLimits.textLength)) }))();

/** Continues a version that was stopped or interrupted. */
export const continueRequest = /* @__PURE__ */ (() => z.object({ versionId: z.uuid() }))();

export interface WriteAnswer extends TextLength {
  content: string;
  creditsUsed: number;
  note: string | null;
  work: { id: string };
  version: { id: string };
  generation: { id: string; state: GenerationState };
}

export const finalText = (text: string): string => text.slice(text.lastIndexOf(RESTART_MARK) + 1);

/** Returns the text before the first restart mark; it is complete once such a mark follows. */
export const firstDraft = (text: string): string =>
  text.slice(0, `${text}${RESTART_MARK}`.indexOf(RESTART_MARK));

/** Returns the text that is being replaced; null before the first correction. */
export function supersededText(text: string): string | null {
  const end = text.lastIndexOf(RESTART_MARK);
  return end < 0 ? null : text.slice(text.lastIndexOf(RESTART_MARK, end - 1) + 1, end);
}

/** In words, or in characters if `inCharacters`. */
export interface LengthRange {
  least: number;
  most: number;
  inCharacters: boolean;
}

/** Returns the range of a requested length, in the unit in which `measured` is measured. */
export function rangeOf(length: Length, measured: TextLength): LengthRange {
  const { least, most } = requestedLengths[length];
  const inUnit = (words: number) => sizeOf(asLengthOf(measured, words));
  return { least: inUnit(least), most: inUnit(most), inCharacters: measured.characters !== null };
}

/** An empty text is measured like the prompt, whose language it will have. */
export const lengthFor = (prompt: string, text: string): TextLength =>
  text.trim() === '' ? asLengthOf(textLength(prompt), 0) : textLength(text);

/** Returns the length in the settings, or the default if another build has stored an unknown one. */
export const requestedLength = ({ length }: { length?: unknown }): Length =>
  lengths.find((known) => known === length) ?? defaultSettings.length;

export function rangeFit(text: TextLength, length: Length): 'short' | 'in' | 'over' {
  const [size, { least, most }] = [sizeOf(text), rangeOf(length, text)];
  return size < least ? 'short' : size > most ? 'over' : 'in';
}

export const formatRange = ({ inCharacters, least, most }: LengthRange): string =>
  inCharacters ? m.writer_length_characters({ least, most }) : m.writer_length_words({ least, most });

export type TextNote = 'short' | 'over' | 'incomplete' | 'filtered';

/** Older versions store a sentence instead of a code. */
export function describeNote({
  note,
  settings,
  ...length
}: Pick<VersionRow, 'note' | 'settings'> & TextLength) {
  const range = formatRange(rangeOf(requestedLength(settings), length));
  const values = { length: formatTextLength(length), range };
  if (note === 'short') return m.writer_note_short(values);
  if (note === 'over') return m.writer_note_long(values);
  if (note === 'incomplete') return m.tools_continue_incomplete();
  return note === 'filtered' ? m.common_withheld() : note;
}
