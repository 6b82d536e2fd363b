import { type FinishReason, RESTART_MARK } from './contract.ts';
import type { GatewayMessage } from './gateway/chat-completions.server.ts';
import { type Call, streamText } from './model-calls.server.ts';

const MAX_CONTINUATIONS = 3;
/** How much of the text a continuation sees, from its end; UTF-16 units. */
const CONTEXT_LENGTH = 24_000;

const CONTINUE =
  'Continue your last message exactly where it stops, even within a word, a sentence or a block of code. Repeat nothing of it and add no remark about going on.';

export const continuationMessages = (text: string, note = ''): GatewayMessage[] => [
  { role: 'assistant', content: text },
  { role: 'user', content: `${CONTINUE} ${note}`.trim() },
];

export interface Draft {
  text: string;
  finish: FinishReason;
}

export interface Correction {
  instruction: string;
  shownLength?: number;
  appends?: boolean;
  isBetter(text: string): boolean;
}

export interface ComposeRequest extends Omit<Call, 'purpose' | 'responseFormat'> {
  purposes: Record<'draft' | 'continuation' | 'correction', string>;
  isLongEnough(text: string): boolean;
  correctionOf?(draft: Draft): Correction | null;
}

async function* draft(
  { purposes, isLongEnough, ...call }: ComposeRequest,
  purpose: string,
  messages: GatewayMessage[],
  before = '',
): AsyncGenerator<string, Draft, void> {
  let text = '';
  for (let round = 0; ; round++) {
    const continuation = round === 0 ? [] : continuationMessages(text.slice(-CONTEXT_LENGTH).toWellFormed());
    const steps = streamText({
      ...call,
      purpose: round === 0 ? purpose : purposes.continuation,
      messages: [...messages, ...continuation],
    });
    let step = await steps.next();
    for (; !step.done; step = await steps.next()) {
      // A restart mark written by the model would hide the text before it.
      const piece = step.value.replaceAll(RESTART_MARK, ' ');
      text += piece;
      yield piece;
    }
    const finish = step.value;
    if (finish !== 'length' || round === MAX_CONTINUATIONS || text === '' || isLongEnough(before + text))
      return { text, finish };
  }
}

async function* correct(
  request: ComposeRequest,
  first: Draft,
  { instruction, shownLength, appends = false, isBetter }: Correction,
): AsyncGenerator<string, Draft | null, void> {
  const prefix = appends ? `${first.text.trimEnd()}\n\n` : '';
  const messages: GatewayMessage[] = [
    ...request.messages,
    { role: 'assistant', content: first.text.slice(0, shownLength).toWellFormed() },
    { role: 'user', content: instruction },
  ];
  try {
    yield appends ? '\n\n' : RESTART_MARK;
    const { text, finish } = yield* draft(request, request.purposes.correction, messages, prefix);
    if (isBetter(prefix + text)) return { text: prefix + text, finish };
  } catch (error) {
    yield RESTART_MARK + first.text;
    // A failed correction is ignored; a Stop, a shutdown or a take-over of the run ends the work.
    if (request.context.signal.aborted) throw error;
    return null;
  }
  yield RESTART_MARK + first.text;
  return null;
}

/** Makes at most one correction. Only what is yielded after the last RESTART_MARK is the text. @throws GatewayError. */
export async function* composeDraft(
  request: ComposeRequest,
): AsyncGenerator<string, Draft & { corrected: boolean }, void> {
  const first = yield* draft(request, request.purposes.draft, request.messages);
  const correction = first.finish === 'filtered' ? null : request.correctionOf?.(first);
  const better = correction ? yield* correct(request, first, correction) : null;
  return { ...(better ?? first), corrected: better !== null };
}

export async function* composeRest(
  request: ComposeRequest,
  partial: string,
  note: string,
): AsyncGenerator<string, Draft, void> {
  const messages = [...request.messages, ...continuationMessages(partial, note)];
  return yield* draft(request, request.purposes.continuation, messages, partial);
}
