/**
 * Context-length errors, chosen by [[context:FORM,TOKENS]]. `field`: llama.cpp of 2025, an SSE field in a 200 without
 * numbers; `counted`: the same some builds later, with numbers; `llamacpp`: the current form (ggml-org/llama.cpp#15780,
 * #16109, #16486). `vllm` and `openai` also count the tokens reserved for the answer.
 */
import { sendJson } from '../http.ts';
import type { ChatCall } from './chat.ts';

export const CONTEXT_FORMS = ['field', 'counted', 'llamacpp', 'vllm', 'openai'] as const;
export type ContextForm = (typeof CONTEXT_FORMS)[number];

export interface ContextLimit {
  form: ContextForm;
  tokens: number;
}

const OLD_SENTENCE =
  'the request exceeds the available context size. try increasing the context size or enable context shift';

type Sizes = Record<'prompt' | 'answer' | 'context', number>;

function errorOf(form: ContextForm, { prompt, answer, context }: Sizes): Record<string, unknown> {
  const counts = { n_prompt_tokens: prompt, n_ctx: context };
  switch (form) {
    case 'field':
      return { code: 400, message: OLD_SENTENCE, type: 'invalid_request_error' };
    case 'counted':
      return { code: 500, message: OLD_SENTENCE, type: 'exceed_context_size_error', ...counts };
    case 'llamacpp':
      return {
        code: 400,
        message: `request (${prompt} tokens) exceeds the available context size (${context} tokens), try increasing it`,
        type: 'exceed_context_size_error',
        ...counts,
      };
    case 'vllm':
    case 'openai': {
      const message = `This model's maximum context length is ${context} tokens. However, you requested ${prompt + answer} tokens (${prompt} in the messages, ${answer} in the completion). Please reduce the length of the messages or completion.`;
      return form === 'vllm'
        ? { message, type: 'BadRequestError', param: null, code: 400 }
        : { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' };
    }
  }
}

export function refusedForLength({ res, plan, answer }: ChatCall, maxTokens: number | null): boolean {
  if (plan.context === null) return false;
  const { form, tokens: context } = plan.context;
  const sizes = { prompt: answer.usage.prompt_tokens, answer: maxTokens ?? 0, context };
  const counts = form === 'vllm' || form === 'openai';
  if (sizes.prompt + (counts ? sizes.answer : 0) <= context) return false;
  const error = errorOf(form, sizes);
  if (form === 'field' || form === 'counted')
    res
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(`error: ${JSON.stringify(error)}\n\ndata: [DONE]\n\n`);
  else sendJson(res, 400, { error });
  return true;
}
