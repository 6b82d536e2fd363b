import {
  composeDraft,
  composeRest,
  type Draft,
  type RunContext,
  type RunResult,
} from '#features/generations/service.server.ts';
import { countWords } from '#shared/word-count.ts';
import {
  rangeFit,
  type TextType,
  type Tone,
  type WordRange,
  type WriterSettings,
  wordRanges,
} from './contract.ts';

/** Of the languages that take most, so that a text in its range is cut only by a smaller gateway. */
const TOKENS_A_WORD = 3;

export const writingBounds = {
  idleMs: 30_000,
  answerMs: 150_000,
  eventBytes: 1024 * 1024,
  textBytes: 64 * 1024,
};

const kinds: Record<TextType, string> = {
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

const instruction = ({ type, tone }: WriterSettings, { least, most }: WordRange) =>
  [
    'You write finished texts in Markdown for the person whose wish follows.',
    `The text is ${kinds[type]}. Its tone is ${toneDescriptions[tone]}.`,
    `Its length is between ${least} and ${most} words; aim at ${Math.round((least + most) / 2)}.`,
    'It is written in the language of the wish. It states nothing about real people, prices or figures that the wish does not give and that is not generally known.',
    'Answer with the text alone: no remark before or after it, no code fence around it, no word count.',
  ].join('\n');

const lengthen = (words: number, { least, most }: WordRange) =>
  `The text has ${words} words and must have between ${least} and ${most}. Write the paragraphs that follow its last one, about ${Math.round((least + most) / 2) - words} words, with new thoughts, examples or details, and bring it to an end anew. Repeat nothing of it, and answer with these paragraphs alone.`;

const tighten = (words: number, { least, most }: WordRange) =>
  `The text has ${words} words and may have no more than ${most}. Write the whole text anew with between ${least} and ${most} words, about ${Math.round((least + most) / 2)}. Keep what matters most, its tone and its form, and answer with the text alone.`;

const misses = (words: number, { least, most }: WordRange) => Math.max(0, least - words, words - most);

function correctionOf({ text }: Draft, range: WordRange) {
  const words = countWords(text);
  const fit = rangeFit(words, range);
  if (words === 0 || fit === 'in') return null;
  const follows = fit === 'short';
  return {
    instruction: follows ? lengthen(words, range) : tighten(words, range),
    follows,
    isBetter: (whole: string) => misses(countWords(whole), range) < misses(words, range),
  };
}

/**
 * One correction where the text misses its range; a text that was `begun` is continued, and not corrected. What counts
 * follows the last form feed. @throws GatewayError where the draft fails.
 */
export async function* composeText(
  context: RunContext,
  settings: WriterSettings,
  begun = '',
): AsyncGenerator<string, RunResult, void> {
  const range = wordRanges[settings.length];
  const request = {
    context,
    purposes: { draft: 'writer', continuation: 'continuation', correction: 'correction' },
    messages: [
      { role: 'system' as const, content: instruction(settings, range) },
      { role: 'user' as const, content: settings.prompt },
    ],
    temperature: temperatures[settings.tone],
    maxTokens: range.most * TOKENS_A_WORD + 200,
    bounds: writingBounds,
    isLongEnough: (text: string) => countWords(text) > range.most,
    correctionOf: (draft: Draft) => correctionOf(draft, range),
  };
  if (begun) {
    const left = `The whole text has between ${range.least} and ${range.most} words, ${countWords(begun)} of which are there.`;
    const { finish } = yield* composeRest(request, begun, left);
    return { finish };
  }
  const { text, finish, corrected } = yield* composeDraft(request);
  const complete = corrected && finish === 'length' && misses(countWords(text), range) === 0;
  return { finish: complete ? 'stop' : finish };
}
