import { countWords } from '../../../shared/words.ts';
import { callStreamed } from '../../generations/calls/service.server.ts';
import type { FinishReason } from '../../generations/contract.ts';
import type { RunContext } from '../../generations/engine/service.server.ts';
import type { ChatTurn } from '../../generations/gateway/gateway.adapter.server.ts';
import type { RunResult } from '../../generations/verdict/service.server.ts';
import {
  fitOf,
  type TextType,
  type Tone,
  type WordRange,
  type WriterSettings,
  wordRanges,
} from '../contract.ts';

/** Continuations of a text that the gateway cut; they are part of its price. */
const CONTINUATIONS = 3;
/** Tokens of a word in the languages that take most, so that a text in its range is cut only by a smaller gateway. */
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

const manners: Record<Tone, string> = {
  professional: 'professional: clear, precise and courteous',
  casual: 'casual: relaxed and direct, as one talks to a friend',
  creative: 'creative: vivid, with images and surprising turns',
  academic: 'academic: sober, exact and well-argued; it invents no sources',
};

/** How a tone is described to the model. */
export const mannerOf = (tone: Tone): string => manners[tone];

const temperatures: Record<Tone, number> = { professional: 0.7, casual: 0.8, creative: 0.9, academic: 0.5 };

const instruction = ({ type, tone }: WriterSettings, { least, most }: WordRange) =>
  [
    'You write finished texts in Markdown for the person whose wish follows.',
    `The text is ${kinds[type]}. Its tone is ${manners[tone]}.`,
    `Its length is between ${least} and ${most} words; aim at ${Math.round((least + most) / 2)}.`,
    'It is written in the language of the wish. It states nothing about real people, prices or figures that the wish does not give and that is not generally known.',
    'Answer with the text alone: no remark before or after it, no code fence around it, no word count.',
  ].join('\n');

const CONTINUE =
  'Continue your last message exactly where it stops, even within a word or a sentence. Repeat nothing of it and add no remark about going on.';

const lengthen = (words: number, { least, most }: WordRange) =>
  `The text has ${words} words and must have between ${least} and ${most}. Write the paragraphs that follow its last one, about ${Math.round((least + most) / 2) - words} words, with new thoughts, examples or details, and bring it to an end anew. Repeat nothing of it, and answer with these paragraphs alone.`;

const tighten = (words: number, { least, most }: WordRange) =>
  `The text has ${words} words and may have no more than ${most}. Write the whole text anew with between ${least} and ${most} words, about ${Math.round((least + most) / 2)}. Keep what matters most, its tone and its form, and answer with the text alone.`;

interface Draft {
  text: string;
  finish: FinishReason;
}

interface Asking {
  context: RunContext;
  settings: WriterSettings;
  range: WordRange;
}

async function* ask({ context, settings, range }: Asking, purpose: string, messages: ChatTurn[]) {
  return yield* callStreamed({
    context,
    purpose,
    messages,
    temperature: temperatures[settings.tone],
    maxTokens: range.most * TOKENS_A_WORD + 200,
    bounds: writingBounds,
  });
}

/** Yields an answer as it comes, gone on with where the gateway cut it, until the text is long enough. */
async function* written(
  asking: Asking,
  purpose: string,
  turns: ChatTurn[],
  before: string,
): AsyncGenerator<string, Draft, void> {
  let text = '';
  let finish: FinishReason = 'length';
  for (let part = 0; part <= CONTINUATIONS; part++) {
    const more: ChatTurn[] =
      part === 0
        ? []
        : [
            { role: 'assistant', content: text },
            { role: 'user', content: CONTINUE },
          ];
    const steps = ask(asking, part === 0 ? purpose : 'continuation', [...turns, ...more]);
    for (let step = await steps.next(); ; step = await steps.next()) {
      if (step.done) {
        finish = step.value;
        break;
      }
      // A form feed of the model's own would hide what stands before it.
      const piece = step.value.replaceAll('\f', ' ');
      text += piece;
      yield piece;
    }
    const enough = countWords(before + text) > asking.range.most;
    if (finish !== 'length' || enough || text === '') break;
  }
  return { text, finish };
}

/** Words outside of a range; 0 within. */
const misses = (words: number, { least, most }: WordRange) => Math.max(0, least - words, words - most);

/**
 * The one pass of correction: a text that is too short gets further paragraphs, one that is too long is written anew
 * behind a form feed. A correction that fails, is stopped or misses by more than the draft gives way to the draft.
 */
async function* corrected(
  asking: Asking,
  turns: ChatTurn[],
  draft: Draft,
): AsyncGenerator<string, Draft, void> {
  const { range } = asking;
  const words = countWords(draft.text);
  const short = fitOf(words, range) === 'short';
  const wish = short ? lengthen(words, range) : tighten(words, range);
  const kept = short ? `${draft.text.trimEnd()}\n\n` : '';
  const asked: ChatTurn[] = [
    ...turns,
    { role: 'assistant', content: draft.text },
    { role: 'user', content: wish },
  ];
  try {
    yield short ? '\n\n' : '\f';
    const { text, finish } = yield* written(asking, 'correction', asked, kept);
    const whole = kept + text;
    if (misses(countWords(whole), range) < misses(words, range))
      return {
        text: whole,
        finish: finish === 'length' && misses(countWords(whole), range) === 0 ? 'stop' : finish,
      };
  } catch (error) {
    yield `\f${draft.text}`;
    // A failed correction is none; a Stop, a shutdown or a run that was taken over ends the work.
    if (asking.context.signal.aborted) throw error;
    return draft;
  }
  yield `\f${draft.text}`;
  return draft;
}

/**
 * Writes a text of the promised length: a draft, gone on with where the gateway stops at its limit, and one correction
 * where it misses its range. A text that was begun is gone on with, and not corrected. What counts of the text yielded is what follows the last form feed.
 * @throws GatewayError where the draft fails.
 */
export async function* compose(
  context: RunContext,
  settings: WriterSettings,
  begun = '',
): AsyncGenerator<string, RunResult, void> {
  const range = wordRanges[settings.length];
  const asking = { context, settings, range };
  const turns: ChatTurn[] = [
    { role: 'system', content: instruction(settings, range) },
    { role: 'user', content: settings.prompt },
  ];
  if (begun) {
    const left = `The whole text has between ${range.least} and ${range.most} words, ${countWords(begun)} of which are there.`;
    turns.push({ role: 'assistant', content: begun }, { role: 'user', content: `${CONTINUE} ${left}` });
    const { finish } = yield* written(asking, 'continuation', turns, begun);
    return { finish };
  }
  const draft = yield* written(asking, 'writer', turns, '');
  const words = countWords(draft.text);
  if (words === 0 || draft.finish === 'filtered' || fitOf(words, range) === 'in')
    return { finish: draft.finish };
  const { finish } = yield* corrected(asking, turns, draft);
  return { finish };
}
