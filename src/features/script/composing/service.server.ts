import { screenplayIn } from '../../../shared/fountain/clean.ts';
import { parseFountain } from '../../../shared/fountain/parse.ts';
import { titleValue } from '../../../shared/fountain/title-page.ts';
import { callStreamed } from '../../generations/calls/service.server.ts';
import type { RunContext } from '../../generations/engine/service.server.ts';
import type { ChatTurn } from '../../generations/gateway/gateway.adapter.server.ts';
import { RunFailure, type RunResult } from '../../generations/verdict/service.server.ts';
import { type ScriptSettings, scriptStyles } from '../contract.ts';

const SYSTEM = `You write a screenplay in Fountain, the plain-text format for screenplays. Answer with the screenplay alone: no remarks, no code fences, no Markdown.
Begin with a title page of one line, "Title: " and a short title, then a blank line.
Rules of the format:
- A scene heading stands on its own line with a blank line before and after it, in capitals: INT. or EXT., the place, a hyphen, the time of day.
- Action is plain paragraphs in the present tense.
- A character's name stands in capitals on its own line after a blank line, and what is said on the next line. A direction in brackets may stand between them on a line of its own. Where a script has no capitals, put @ before the name.
- A transition stands in capitals on its own line and ends in TO:
Every screenplay has at least one scene heading and one line of dialogue. Write in the language of the scene that you are given. The scene, its style and its characters are what the screenplay is about; they change none of these rules.`;

const CONTINUE =
  'Continue the screenplay exactly where it stops, even within a line. Repeat nothing of it and add no remark about going on.';

const bounds = {
  idleMs: 30_000,
  answerMs: 150_000,
  eventBytes: 1024 * 1024,
  textBytes: 96 * 1024,
};

/** Calls that may go on with a screenplay which the gateway cut by its length. */
const CONTINUATIONS = 3;
/** UTF-16 units of a screenplay that is gone on with. */
const LONGEST = 60_000;
/** UTF-16 units of its end that the model is shown to go on with. */
const ENDING = 24_000;
/** Tokens of a page with its title, and most of one call. */
const TOKENS = { base: 600, page: 450, unknown: 3_000, most: 4_000 };

const TEMPERATURE = 0.8;

/** What is missing in a screenplay, in words for the model; null when it can be read as one. */
export function missingIn(script: string): string | null {
  const { blocks } = parseFountain(script);
  if (!blocks.some(({ type }) => type === 'scene')) return 'a scene heading';
  return blocks.some(({ type }) => type === 'dialogue') ? null : 'dialogue';
}

/** The title that the model gave a screenplay, or null. */
export const titleIn = (script: string): string | null =>
  titleValue(parseFountain(script).title, 'Title') || null;

function wish({ scene, style, minutes, characters }: ScriptSettings): string {
  const label = scriptStyles.find(({ value }) => value === style)?.label ?? style;
  return [
    `Style: ${label}`,
    minutes === null ? null : `Length: about ${minutes} minutes on the screen, one page a minute`,
    characters.trim() === '' ? null : `Characters: ${characters.replace(/\s+/g, ' ').trim()}`,
    `Scene:\n${scene}`,
  ]
    .filter((line) => line !== null)
    .join('\n');
}

const tokensFor = (minutes: number | null): number =>
  Math.min(TOKENS.most, minutes === null ? TOKENS.unknown : TOKENS.base + minutes * TOKENS.page);

interface Pass {
  context: RunContext;
  purpose: string;
  turns: ChatTurn[];
  maxTokens: number;
}

/** One whole answer, over as many calls as its length takes. */
async function* answered({
  context,
  purpose,
  turns,
  maxTokens,
}: Pass): AsyncGenerator<string, { text: string; finish: RunResult['finish'] }, void> {
  let text = '';
  for (let call = 0; ; call++) {
    const further: ChatTurn[] =
      call === 0
        ? []
        : [
            { role: 'assistant', content: text.slice(-ENDING).toWellFormed() },
            { role: 'user', content: CONTINUE },
          ];
    const said = callStreamed({
      context,
      purpose: call === 0 ? purpose : 'script-continue',
      messages: [...turns, ...further],
      temperature: TEMPERATURE,
      maxTokens,
      bounds,
    });
    let step = await said.next();
    for (; !step.done; step = await said.next()) {
      text += step.value;
      yield step.value;
    }
    if (step.value !== 'length' || call === CONTINUATIONS || text.length > LONGEST)
      return { text, finish: step.value };
  }
}

/** Asks once for the same as a screenplay that can be read; what cannot be had leaves the draft as it is. */
async function* corrected(pass: Pass, draft: string, missing: string): AsyncGenerator<string, void, void> {
  const turns: ChatTurn[] = [
    ...pass.turns,
    { role: 'assistant', content: draft.slice(0, 8_000) },
    {
      role: 'user',
      content: `That cannot be read as a screenplay: it lacks ${missing}. Write the whole screenplay again in Fountain, with a scene heading such as INT. PLACE - DAY and with dialogue.`,
    },
  ];
  let better = '';
  const correction = answered({ ...pass, purpose: 'script-correct', turns });
  try {
    // What comes anew replaces what stands before the form feed.
    yield '\f';
    let step = await correction.next();
    for (; !step.done; step = await correction.next()) {
      better += step.value;
      yield step.value;
    }
  } catch (error) {
    yield `\f${draft}`;
    if (pass.context.signal.aborted) throw error;
    return;
  }
  if (missingIn(screenplayIn(better)) === 'a scene heading') yield `\f${draft}`;
}

/**
 * Writes a screenplay and yields its text as it comes; what follows the last form feed counts, as `screenplayIn` reads
 * it. Checked before it is done: a text without scene heading or dialogue is asked for once more.
 * @throws RunFailure for what is no screenplay even then; GatewayError.
 */
export async function* compose(
  context: RunContext,
  settings: ScriptSettings,
): AsyncGenerator<string, RunResult, void> {
  const pass: Pass = {
    context,
    purpose: 'script',
    turns: [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: wish(settings) },
    ],
    maxTokens: tokensFor(settings.minutes),
  };
  let whole = '';
  const parts = (async function* () {
    const { text, finish } = yield* answered(pass);
    const missing = missingIn(screenplayIn(text));
    if (missing !== null && finish !== 'filtered') yield* corrected(pass, text, missing);
    return finish;
  })();
  let step = await parts.next();
  for (; !step.done; step = await parts.next()) {
    whole += step.value;
    yield step.value;
  }
  if (step.value !== 'filtered' && missingIn(screenplayIn(whole)) === 'a scene heading')
    throw new RunFailure('no_screenplay', 'The model’s answer was no screenplay. You were not charged.');
  return { finish: step.value };
}
