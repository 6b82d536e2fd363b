import {
  composeDraft,
  composeRest,
  type Draft,
  type RunContext,
  type RunResult,
} from '#features/generations/service.server.ts';
import { sizeOf, textLength } from '#shared/text-length.ts';
import {
  type Length,
  type LengthRange,
  lengthFor,
  rangeFit,
  rangeOf,
  type TextType,
  type Tone,
  type WriterSettings,
} from './contract.ts';

/** For the languages that need most, so that a text within its range is cut only if the gateway's limit is lower. */
const TOKENS_PER_WORD = 3;
const TOKENS_PER_CHARACTER = 2;

export const writingBounds = {
  idleMs: 30_000,
  answerMs: 150_000,
  eventBytes: 1024 * 1024,
  textBytes: 64 * 1024,
};

const typeDescriptions: Record<TextType, string> = {
  blog: 'a blog post with a title, an opening that draws the reader in, and sections with headings',
  article: 'an article with a title, a lead paragraph, and sections with headings',
  copy: 'marketing copy with a headline, concrete benefits for the reader, and a call to action',
  social: 'a post for social media with a strong first line and short paragraphs, and no heading',
  email: 'an email that begins with a line "Subject: ...", then the salutation, the message and the closing',
};

const toneDescriptions: Record<Tone, string> = {
  professional: 'professional: clear, precise and courteous',
  casual: 'casual: relaxed and direct, as one talks to a friend',
  creative: 'creative: vivid, with images and surprising turns',
  academic: 'academic: sober, exact and well-argued; it invents no sources',
};

export const toneDescription = (tone: Tone): string => toneDescriptions[tone];

const temperatures: Record<Tone, number> = { professional: 0.7, casual: 0.8, creative: 0.9, academic: 0.5 };

const unitOf = ({ inCharacters }: LengthRange) => (inCharacters ? 'characters' : 'words');
const middle = ({ least, most }: LengthRange) => Math.round((least + most) / 2);

const instruction = ({ type, tone }: WriterSettings, range: LengthRange) =>
  [
    'You write finished texts in Markdown for the person whose wish follows.',
    `The text is ${typeDescriptions[type]}. Its tone is ${toneDescriptions[tone]}.`,
    `Its length is between ${range.least} and ${range.most} ${unitOf(range)}; aim at ${middle(range)}.`,
    'It is written in the language of the wish. It states nothing about real people, prices or figures that the wish does not give and that is not generally known.',
    'Answer with the text alone: no remark before or after it, no code fence around it, no word count.',
  ].join('\n');

const lengthen = (size: number, range: LengthRange) =>
  `The text has ${size} ${unitOf(range)} and must have between ${range.least} and ${range.most}. Write the paragraphs that follow its last one, about ${middle(range) - size} ${unitOf(range)}, with new thoughts, examples or details, and bring it to an end anew. Repeat nothing of it, and answer with these paragraphs alone.`;

const tighten = (size: number, range: LengthRange) =>
  `The text has ${size} ${unitOf(range)} and may have no more than ${range.most}. Write the whole text anew with between ${range.least} and ${range.most} ${unitOf(range)}, about ${middle(range)}. Keep what matters most, its tone and its form, and answer with the text alone.`;

/** Returns how far a text misses its range, as a share of the maximum, since a correction may have another unit. */
function missRatio(text: string, requested: Length): number {
  const length = textLength(text);
  const [size, { least, most }] = [sizeOf(length), rangeOf(requested, length)];
  return Math.max(0, least - size, size - most) / most;
}

function correctionOf({ text }: Draft, requested: Length) {
  const length = textLength(text);
  const fit = rangeFit(length, requested);
  if (length.words === 0 || fit === 'in') return null;
  const appends = fit === 'short';
  const range = rangeOf(requested, length);
  return {
    instruction: (appends ? lengthen : tighten)(sizeOf(length), range),
    appends,
    isBetter: (newText: string) => missRatio(newText, requested) < missRatio(text, requested),
  };
}

/**
 * Makes one correction if the text misses its range; a `partial` text is continued instead, without correction. Only
 * what follows the last form feed counts. @throws GatewayError if the draft fails.
 */
export async function* composeText(
  context: RunContext,
  settings: WriterSettings,
  partial = '',
): AsyncGenerator<string, RunResult, void> {
  const { length: requested } = settings;
  // The existing text determines the unit of length; without one, the prompt does.
  const partialLength = lengthFor(settings.prompt, partial);
  const range = rangeOf(requested, partialLength);
  const tokens = range.inCharacters ? TOKENS_PER_CHARACTER : TOKENS_PER_WORD;
  const request = {
    context,
    purposes: { draft: 'writer', continuation: 'continuation', correction: 'correction' },
    messages: [
      { role: 'system' as const, content: instruction(settings, range) },
      { role: 'user' as const, content: settings.prompt },
    ],
    temperature: temperatures[settings.tone],
    maxTokens: range.most * tokens + 200,
    bounds: writingBounds,
    isLongEnough: (text: string) => rangeFit(textLength(text), requested) === 'over',
    correctionOf: (draft: Draft) => correctionOf(draft, requested),
  };
  if (partial) {
    const lengthNote = `The whole text has between ${range.least} and ${range.most} ${unitOf(range)}, ${sizeOf(partialLength)} of which are there.`;
    const { finish } = yield* composeRest(request, partial, lengthNote);
    return { finish };
  }
  const { text, finish, corrected } = yield* composeDraft(request);
  const complete = corrected && finish === 'length' && missRatio(text, requested) === 0;
  return { finish: complete ? 'stop' : finish };
}
