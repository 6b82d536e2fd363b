import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { FinishReason, GenerationView } from '#features/generations/contract.ts';
import { readRun, stopOnDisconnect, tokensOfRun } from '#features/generations/service.server.ts';
import { database } from '#platform/database/database.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { log } from '#platform/log.server.ts';
import { estimateTokens, TOKENS_PER_MESSAGE } from '#shared/token-estimate.ts';
import { errorOf } from './api-error.server.ts';
import { refusalOf, unixSeconds } from './api-runs.server.ts';
import type { StartedCompletion } from './completions.server.ts';

/** Proxies close silent connections; a reader that accepts nothing for two of these intervals is disconnected. */
const BEAT_MS = 5_000;

const finishes: Record<FinishReason, 'stop' | 'length' | 'content_filter'> = {
  stop: 'stop',
  incomplete: 'stop',
  length: 'length',
  filtered: 'content_filter',
};

/** Returns null if there is an answer, which may be empty. */
function completionRefusal(view: GenerationView): Problem | null {
  if (view.state === 'done' && view.text === '')
    return new Problem('gone', 'This request was answered before, and its text is not kept any more.');
  return view.error?.code === 'empty' ? null : refusalOf(view, 'messages');
}

const finishOf = ({ state, finishReason }: GenerationView) =>
  // The text before a Stop, requested again under its key, is only the start of an answer.
  state === 'stopped' ? 'length' : finishes[finishReason ?? 'stop'];

async function usageOf({ id, promptTokens }: StartedCompletion, text: string, thinking: string) {
  const reported = await tokensOfRun(database(), id);
  const prompt_tokens = reported.prompt ?? promptTokens;
  const completion_tokens = reported.completion ?? estimateTokens(thinking + text) - TOKENS_PER_MESSAGE;
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

async function completeAnswer(
  c: Context<AppEnv>,
  run: StartedCompletion,
  disconnected: AbortSignal,
): Promise<Response> {
  const pieces = readRun({ userId: run.userId, id: run.id }, disconnected);
  let thinking = '';
  let step = await pieces.next();
  for (; !step.done; step = await pieces.next()) thinking += step.value.thinking;
  const view = step.value;
  if (!view) return RESPONSE_ALREADY_SENT;
  const refusal = completionRefusal(view);
  if (refusal) throw refusal;
  const message = {
    ...{ role: 'assistant', content: view.text, refusal: null },
    ...(thinking === '' ? {} : { reasoning_content: thinking }),
  };
  return c.json(
    {
      id: `chatcmpl-${run.id}`,
      object: 'chat.completion',
      created: unixSeconds(),
      model: run.model,
      choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(view) }],
      usage: await usageOf(run, view.text, thinking),
    },
    200,
    { 'cache-control': 'private, no-store' },
  );
}

/** Writes only as much as the socket accepts. */
class ChunkWriter {
  readonly #response: ServerResponse;
  readonly #disconnected: AbortSignal;
  readonly #head: object;
  readonly #rest: object;
  readonly #beat: NodeJS.Timeout;
  #waits = 0;

  constructor(response: ServerResponse, run: StartedCompletion, disconnected: AbortSignal) {
    this.#response = response;
    this.#disconnected = disconnected;
    this.#head = {
      id: `chatcmpl-${run.id}`,
      object: 'chat.completion.chunk',
      created: unixSeconds(),
      model: run.model,
    };
    this.#rest = run.includeUsage ? { usage: null } : {};
    this.#beat = setInterval(() => this.#onBeat(), BEAT_MS);
  }

  get started(): boolean {
    return this.#response.headersSent;
  }

  async delta(delta: object, finish_reason: string | null = null): Promise<void> {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason }];
    await this.line({ ...this.#head, choices, ...this.#rest });
  }

  usage(usage: object): Promise<void> {
    return this.line({ ...this.#head, choices: [], usage });
  }

  async line(data: object): Promise<void> {
    if (this.#disconnected.aborted) return;
    this.#begin();
    if (this.#response.write(`data: ${JSON.stringify(data)}\n\n`)) return;
    await once(this.#response, 'drain', { signal: this.#disconnected }).catch(() => undefined);
    this.#waits = 0;
  }

  end(last = ''): void {
    clearInterval(this.#beat);
    if (!this.#disconnected.aborted && this.started) this.#response.end(last);
  }

  #begin(): void {
    if (this.started) return;
    this.#response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'private, no-store, no-transform',
      'x-accel-buffering': 'no',
    });
  }

  #onBeat(): void {
    if (this.#response.writableNeedDrain) {
      if (++this.#waits > 1) this.#response.destroy();
      return;
    }
    this.#begin();
    this.#response.write(': \n\n');
  }
}

/** Before any output a refusal has its own HTTP status; afterwards it is an event. */
async function streamAnswer(
  response: ServerResponse,
  run: StartedCompletion,
  disconnected: AbortSignal,
): Promise<Response> {
  const writer = new ChunkWriter(response, run, disconnected);
  try {
    const pieces = readRun({ userId: run.userId, id: run.id }, disconnected);
    let roleSent = false;
    let thinking = '';
    const begin = async () => {
      if (!roleSent) await writer.delta({ role: 'assistant', content: '', refusal: null });
      roleSent = true;
    };
    let step = await pieces.next();
    for (; !step.done; step = await pieces.next()) {
      await begin();
      thinking += step.value.thinking;
      // The field that most clients know; OpenAI's own models send no thinking.
      if (step.value.thinking !== '') await writer.delta({ reasoning_content: step.value.thinking });
      if (step.value.text !== '') await writer.delta({ content: step.value.text });
    }
    const view = step.value;
    if (!view) return RESPONSE_ALREADY_SENT;
    const refusal = completionRefusal(view);
    if (refusal && !writer.started) throw refusal;
    if (refusal) await writer.line(errorOf(refusal).body);
    else {
      await begin();
      await writer.delta({}, finishOf(view));
      if (run.includeUsage) await writer.usage(await usageOf(run, view.text, thinking));
    }
    writer.end(refusal ? '' : 'data: [DONE]\n\n');
    return RESPONSE_ALREADY_SENT;
  } catch (error) {
    if (!writer.started) throw error;
    log.error({ error, generation: run.id }, 'an API response was cut off');
    response.destroy();
    return RESPONSE_ALREADY_SENT;
  } finally {
    writer.end();
  }
}

export function answerCompletion(c: Context<AppEnv>, run: StartedCompletion): Promise<Response> {
  const response = c.env.outgoing;
  const disconnected = stopOnDisconnect(response, run);
  return run.stream ? streamAnswer(response, run, disconnected) : completeAnswer(c, run, disconnected);
}
