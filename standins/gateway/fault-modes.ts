/** Error codes and messages by status: protocols.md 2.3. */
export const REFUSALS = {
  '400': ['context_length_exceeded', 'The prompt is over the context length of this model.'],
  '401': ['authentication', 'No auth credentials found'],
  '402': ['payment_required', 'Insufficient credits'],
  '403': ['content_policy_violation', 'Your input was flagged'],
  '404': ['model_not_found', 'No endpoints found for this model.'],
  '408': ['timeout', 'Your request timed out'],
  '429': ['rate_limit_exceeded', 'Rate limit exceeded'],
  '500': ['server', 'Internal Server Error'],
  '503': ['provider_overloaded', 'No instances available'],
  '529': ['provider_overloaded', 'Provider returned error: overloaded'],
} as const;

const STREAM_MODES = [
  'ok', // the whole answer, usage, [DONE]
  'comments', // ": OPENROUTER PROCESSING" comments before and between chunks
  'crlf', // line ends are CR LF
  'splitutf8', // one byte per write, with characters of 2, 3 and 4 bytes
  'nospace', // "data:" without the space
  'nousage', // no usage chunk
  'reasoning', // OpenRouter's reasoning deltas before the content
  'reasoningcontent', // the same in DeepSeek's field, reasoning_content
  'reasoningdetails', // only OpenRouter's reasoning_details: a summary and an encrypted entry
  'thinktags', // <think>...</think> before the content, as text, three characters per chunk
  'thinkopen', // the same without the closing tag
  'miderror', // half, then OpenRouter's error chunk, then [DONE]
  'miderror2', // half, then a bare {"error"}, then the end
  'fielderror', // half, then an error in a separate SSE field, as llama.cpp of 2025 sends it, then [DONE]
  'vllmerror', // half, then {"error":{"object":"error"}} as vLLM sends it, then [DONE]
  'lateerror', // 200 characters, then OpenRouter's error chunk
  'eof', // half, then a clean end without finish_reason
  'eofnodone', // all, finish_reason, but no [DONE]
  'reset', // half, then the connection is reset
  'stall', // half, then silence
  'stallhead', // silence from the start, not even headers
  'badjson', // one chunk in the middle is cut JSON
  'html', // status 200, an HTML page
  'empty', // status 200 without a body
  'nochoices', // chunks without choices in between
  'nullcontent', // deltas with content null in between
  'afterdone', // more content after [DONE]
  'doublefinish', // content and a second finish_reason after the first
  'negusage', // negative tokens and cost
  'nanusage', // tokens and cost that are not numbers
  'hugeusage', // tokens and cost of 1e300
  'control', // NUL, lone surrogates, other control characters in the text
  'hugeline', // 200 MiB in one line
  'endless', // text that never ends
  '502', // status 502 with an HTML page
  'json402', // status 200, a JSON error of code 402
  'slow', // 2 s to the first token, then 4 a second
  'hold', // waits for POST /control {"release":true}
] as const;

/** Modes whose answers contain thinking. */
export const THINKING = [
  'reasoning',
  'reasoningcontent',
  'reasoningdetails',
  'thinktags',
  'thinkopen',
] as const;
export type ThinkingMode = (typeof THINKING)[number];

export const isThinking = (mode: Mode): mode is ThinkingMode => THINKING.some((each) => each === mode);

export type StreamMode = (typeof STREAM_MODES)[number];
export type RefusalMode = keyof typeof REFUSALS;
export type Mode = StreamMode | RefusalMode;

export const MODES: readonly Mode[] = [...STREAM_MODES, ...(Object.keys(REFUSALS) as RefusalMode[])];

export function modeNamed(name: string): Mode | null {
  return MODES.find((mode) => mode === name.replace('-', '')) ?? null;
}

export function isRefusal(mode: Mode): mode is RefusalMode {
  return Object.hasOwn(REFUSALS, mode);
}

export const MEBIBYTES = 200;

export const USAGES = {
  negusage: { prompt_tokens: -1e6, completion_tokens: -1e6, total_tokens: -2e6, cost: -5 },
  nanusage: { prompt_tokens: 'NaN', completion_tokens: null, total_tokens: [], cost: 'NaN' },
  hugeusage: { prompt_tokens: 1e300, completion_tokens: 1e300, total_tokens: 1e300, cost: 1e300 },
};

export const HOSTILE_TEXT = [
  ...['A\u0000B ', '\ud800', ' \udc00x ', '\u0007\u001b[31m', '\u2028', '\u202eright ', '\ufffe '],
];

export const UPSTREAM_ERROR = { code: 502, message: 'Upstream died' };

export const ENGINE_ERROR = {
  ...{ object: 'error', message: 'Engine loop died', type: 'InternalServerError', param: null, code: 500 },
};
