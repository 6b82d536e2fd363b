/**
 * A model with a small context, in the words of the servers that refuse what does not fit: [[context:FORM,TOKENS]].
 * `field` is llama.cpp of 2025, an SSE field in a 200 without figures; `counted` the same, some builds later, with
 * figures; `llamacpp` the present one (ggml-org/llama.cpp#15780, #16109, #16486); `vllm` and `openai` count the room
 * of the answer too.
 */
import { sendJson } from '../http.ts';
import type { ChatCall } from './chat-call.ts';

export const CONTEXT_FORMS = ['field', 'counted', 'llamacpp', 'vllm', 'openai'] as const;
export type ContextForm = (typeof CONTEXT_FORMS)[number];

export interface ContextLimit {
  form: ContextForm;
  tokens: number;
}

const OLD_SENTENCE =
  'the request exceeds the available context size. try increasing the context size or enable context shift';

interface Sizes {
  prompt: number;
  answer: number;
  context: number;
}

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

/** Refuses a call that the context does not hold. True when it is dealt with. */
export function refusedForLength(
  call: ChatCall,
  limit: ContextLimit | null,
  maxTokens: number | null,
): boolean {
  if (limit === null) return false;
  const { form, tokens: context } = limit;
  const counts = form === 'vllm' || form === 'openai';
  const sizes = { prompt: call.answer.usage.prompt_tokens, answer: maxTokens ?? 0, context };
  if (sizes.prompt + (counts ? sizes.answer : 0) <= context) return false;
  const error = errorOf(form, sizes);
  if (form !== 'field' && form !== 'counted') {
    sendJson(call.res, 400, { error });
    return true;
  }
  call.res.writeHead(200, { 'content-type': 'text/event-stream' });
  call.res.end(`error: ${JSON.stringify(error)}\n\ndata: [DONE]\n\n`);
  return true;
}
