import { z } from 'zod/mini';
import { chatLimits } from '#features/chat/contract.ts';
import {
  contextTokens,
  estimateMessageTokens,
  type GatewayMessage,
  type Sampling,
  tokensWithThinking,
} from '#features/generations/service.server.ts';
import { chatModelOf } from '#shared/chat-models.ts';
import { cleanText } from '#shared/clean-text.ts';
import { ApiRefusal } from './api-error.server.ts';
import { invalidValue, isUnset, nullish, readFields } from './request-fields.server.ts';

const within = (min: number, max: number) => nullish(z.number().check(z.minimum(min), z.maximum(max)));
const tokens = () => nullish(z.int().check(z.minimum(1)));
const stopText = z.string().check(z.minLength(1), z.maxLength(200));

const message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: z.union([z.string(), z.array(z.object({ type: z.literal('text'), text: z.string() }))]),
});

const completionRequest = z.object({
  model: z.string(),
  messages: z.array(message).check(z.minLength(1)),
  stream: nullish(z.boolean()),
  stream_options: nullish(z.object({ include_usage: nullish(z.boolean()) })),
  stop: nullish(z.union([stopText, z.array(stopText).check(z.maxLength(4))])),
  max_tokens: tokens(),
  max_completion_tokens: tokens(),
  temperature: within(0, 2),
  top_p: within(0, 1),
  presence_penalty: within(-2, 2),
  frequency_penalty: within(-2, 2),
  seed: nullish(z.int()),
});

/** Fields that would change the outcome and are not supported, unless their value means the default. */
const unsupported: Record<string, (value: unknown) => boolean> = {
  ...Object.fromEntries(
    [
      'tools',
      'functions',
      'function_call',
      'logprobs',
      'top_logprobs',
      'logit_bias',
      'audio',
      'prediction',
      'reasoning_effort',
      'verbosity',
      'web_search_options',
    ].map((field) => [field, isUnset]),
  ),
  tool_choice: (value) => value === 'none' || value === 'auto',
  n: (value) => value === 1,
  modalities: (value) => JSON.stringify(value) === '["text"]',
  response_format: (value) => (value as { type?: unknown }).type === 'text',
};

/** The input of the run. */
export interface CompletionCall {
  messages: GatewayMessage[];
  maxTokens: number;
  temperature: number;
  stops: string[];
  sampling: Sampling;
}

export interface CompletionRequest {
  model: string;
  stream: boolean;
  includeUsage: boolean;
  promptTokens: number;
  call: CompletionCall;
}

const { maxTokens: maxTextTokens } = chatLimits;
const tokensHint = ` It is 1 to ${maxTextTokens}, for a model that thinks to ${tokensWithThinking(maxTextTokens, { thinks: true })}.`;

const hints = {
  content: ' Content is a text, or a list of parts of type text.',
  max_tokens: tokensHint,
  max_completion_tokens: tokensHint,
};

const textOf = (content: z.output<typeof message>['content']): string =>
  cleanText(typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'));

/** @throws ApiRefusal for unsupported fields, and for more tokens than the model accepts. */
export function readCompletionRequest(body: Record<string, unknown>): CompletionRequest {
  const fields = readFields(body, completionRequest, { unsupported, hints });
  const messages = fields.messages.map(
    ({ role, content }): GatewayMessage => ({
      role: role === 'developer' ? 'system' : role,
      content: textOf(content),
    }),
  );
  if (messages.every(({ content }) => String(content).trim() === ''))
    throw new ApiRefusal('bad_request', 'Nothing is asked: every message is empty.', { param: 'messages' });
  const model = chatModelOf(fields.model);
  const contextLimit = contextTokens(model);
  const maxAnswerTokens = tokensWithThinking(maxTextTokens, model);
  for (const param of ['max_tokens', 'max_completion_tokens'] as const)
    if ((fields[param] ?? 0) > maxAnswerTokens) throw invalidValue(param, hints[param]);
  const maxTokens =
    fields.max_completion_tokens ??
    fields.max_tokens ??
    Math.min(maxAnswerTokens, Math.floor(contextLimit / 2));
  const promptTokens = estimateMessageTokens(messages);
  if (promptTokens + maxTokens > contextLimit)
    throw new ApiRefusal(
      'bad_request',
      `This model's maximum context length is ${contextLimit} tokens. Your messages take about ${promptTokens} and the completion up to ${maxTokens}.`,
      { code: 'context_length_exceeded', param: 'messages' },
    );
  const stops = fields.stop ? [fields.stop].flat() : [];
  return {
    model: fields.model,
    stream: fields.stream ?? false,
    includeUsage: fields.stream_options?.include_usage ?? false,
    promptTokens,
    call: {
      messages,
      maxTokens,
      temperature: fields.temperature ?? 1,
      stops,
      sampling: {
        top_p: fields.top_p ?? undefined,
        presence_penalty: fields.presence_penalty ?? undefined,
        frequency_penalty: fields.frequency_penalty ?? undefined,
        seed: fields.seed ?? undefined,
        stop: stops.length > 0 ? stops : undefined,
      },
    },
  };
}
