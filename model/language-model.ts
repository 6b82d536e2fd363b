import { type ChatRequest, type Format, Refusal } from './chat-request.ts';
import { grammarSchema } from './json-schema.ts';
import { loadRuntime, startLlama, threads } from './runtime.ts';
import type { Chat, Grammar, HistoryItem, Llama } from './runtime-types.ts';

/** Limit of requests in the queue; each keeps a connection open. */
const MAX_WAITING = 64;

/** Minimum room for an answer, in tokens. */
const MIN_ANSWER = 16;

/** Sampling threshold: excludes improbable tokens, which a small model would otherwise choose now and then. */
const MIN_P = 0.05;

export interface Answer {
  finish: 'stop' | 'length';
  promptTokens: number;
  completionTokens: number;
}

export interface LanguageModel {
  contextTokens: number;
  trainedTokens: number;
  /** Returns the number of requests that are running or waiting. */
  busy(): number;
  /** Checks the request before any output. @throws Refusal if it cannot be answered. */
  prepare(request: ChatRequest): Promise<PreparedAnswer>;
}

export interface PreparedAnswer {
  /** Runs one answer at a time, in the order of the calls. Returns null if the signal aborts it. */
  run(onText: (text: string) => void, signal: AbortSignal): Promise<Answer | null>;
}

/** Has the wording and fields of llama.cpp's error. */
const overflow = (prompt: number, context: number) =>
  new Refusal(
    400,
    `the request (${prompt} tokens) exceeds the available context size (${context} tokens)`,
    'context_length_exceeded',
    { type: 'exceed_context_size_error', n_prompt_tokens: prompt, n_ctx: context },
  );

class RequestQueue {
  #last: Promise<unknown> = Promise.resolve();
  waiting = 0;

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting >= MAX_WAITING)
      throw new Refusal(429, 'Too many requests wait for this model.', 'rate_limit_exceeded');
    this.waiting += 1;
    const before = this.#last;
    const turn = before.then(work).finally(() => {
      this.waiting -= 1;
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

async function grammarOf(llama: Llama, format: Format | null): Promise<Grammar | undefined> {
  if (!format) return undefined;
  if (format.type === 'json_object') return llama.getGrammarFor('json');
  const schema = grammarSchema(format.schema);
  try {
    return await llama.createGrammarForJsonSchema(schema);
  } catch (error) {
    throw new Refusal(
      400,
      `No grammar can be made of this JSON Schema: ${(error as Error).message}`,
      'unsupported_schema',
    );
  }
}

/** @param folder that contains the runtime */
export async function loadLanguageModel({
  folder,
  file,
  contextTokens,
}: {
  folder: string;
  file: string;
  contextTokens: number;
}): Promise<LanguageModel> {
  const runtime = await loadRuntime(folder);
  const llama = await startLlama(runtime);
  const model = await llama.loadModel({ modelPath: file });
  const context = await model.createContext({
    contextSize: Math.min(contextTokens, model.trainContextSize),
    sequences: 1,
    threads: threads(),
  });
  const size = context.contextSize;
  const sequence = context.getSequence();
  const chat: Chat = new runtime.LlamaChat({ contextSequence: sequence });
  const queue = new RequestQueue();

  const countTokens = (history: HistoryItem[]) =>
    chat.chatWrapper.generateContextState({ chatHistory: history }).contextText.tokenize(model.tokenizer)
      .length;

  return {
    contextTokens: size,
    trainedTokens: model.trainContextSize,
    busy: () => queue.waiting,
    async prepare({ history, maxTokens, temperature, format }) {
      const grammar = await grammarOf(llama, format);
      const promptTokens = countTokens(history);
      const available = size - promptTokens - 1;
      if (available < MIN_ANSWER) throw overflow(promptTokens, size);
      const limit = Math.min(maxTokens ?? available, available);
      const run: PreparedAnswer['run'] = (onText, signal) =>
        queue.run(async () => {
          if (signal.aborted) return null;
          const before = sequence.tokenMeter.usedOutputTokens;
          const { metadata } = await chat.generateResponse(structuredClone(history), {
            onTextChunk: onText,
            signal,
            stopOnAbortSignal: true,
            maxTokens: limit,
            temperature,
            minP: MIN_P,
            ...(grammar ? { grammar } : {}),
            contextShift: {
              strategy() {
                throw overflow(promptTokens, size);
              },
            },
          });
          if (metadata.stopReason === 'abort') return null;
          return {
            finish: metadata.stopReason === 'maxTokens' ? 'length' : 'stop',
            promptTokens,
            completionTokens: sequence.tokenMeter.usedOutputTokens - before,
          };
        });
      return { run };
    },
  };
}
