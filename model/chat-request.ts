import type { HistoryItem } from './runtime-types.ts';

/** Error response in OpenAI's format. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly fields: object;

  constructor(status: number, message: string, code: string | null = null, fields: object = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
  }

  body() {
    const type = this.status === 429 ? 'rate_limit_error' : this.status >= 500 ? 'server_error' : null;
    return {
      error: {
        message: this.message,
        type: type ?? 'invalid_request_error',
        param: null,
        code: this.code,
        ...this.fields,
      },
    };
  }
}

export type Format = { type: 'json_object' } | { type: 'json_schema'; schema: unknown };

export interface ChatRequest {
  history: HistoryItem[];
  stream: boolean;
  includeUsage: boolean;
  /** Null if only the context limits the answer. */
  maxTokens: number | null;
  temperature: number;
  format: Format | null;
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function partText(part: unknown): string {
  if (isFields(part) && part.type === 'text' && typeof part.text === 'string') return part.text;
  const kind = isFields(part) ? String(part.type) : typeof part;
  if (kind === 'image_url')
    throw new Refusal(400, 'This model reads no images, only text.', 'unsupported_image');
  throw new Refusal(400, `messages: a part of type ${kind} is not supported here.`);
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(partText).join('\n');
  if (content === null || content === undefined) return '';
  throw new Refusal(400, 'messages: content must be a text or a list of parts.');
}

function itemOf(message: unknown): HistoryItem {
  if (!isFields(message)) throw new Refusal(400, 'messages: each must be an object.');
  const text = textOf(message.content);
  if (message.role === 'user') return { type: 'user', text };
  if (message.role === 'assistant') return { type: 'model', response: [text] };
  if (message.role === 'system' || message.role === 'developer') return { type: 'system', text };
  throw new Refusal(400, `messages: the role ${JSON.stringify(message.role)} is not known here.`);
}

function historyOf(messages: unknown): HistoryItem[] {
  if (!Array.isArray(messages) || messages.length === 0)
    throw new Refusal(400, 'messages must be a list that is not empty.');
  return [...messages.map(itemOf), { type: 'model', response: [] }];
}

function numberOf(fields: Fields, name: string, min: number, max: number): number | null {
  const value = fields[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !(value >= min && value <= max))
    throw new Refusal(400, `${name} must be a number from ${min} to ${max}.`);
  return value;
}

function formatOf(format: unknown): Format | null {
  if (format === undefined || format === null) return null;
  if (!isFields(format)) throw new Refusal(400, 'response_format must be an object.');
  if (format.type === 'text') return null;
  if (format.type === 'json_object') return { type: 'json_object' };
  if (format.type === 'json_schema' && isFields(format.json_schema))
    return { type: 'json_schema', schema: format.json_schema.schema };
  throw new Refusal(400, 'response_format must be text, json_object or json_schema with its schema.');
}

const MAX_TOKENS = 1_000_000;

/** @throws Refusal */
export function readChatRequest(text: string): ChatRequest {
  let fields: unknown;
  try {
    fields = JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The body is not JSON.');
  }
  if (!isFields(fields)) throw new Refusal(400, 'The body must be a JSON object.');
  if (fields.tools !== undefined) throw new Refusal(400, 'tools are not supported here.');
  if (fields.n !== undefined && fields.n !== 1) throw new Refusal(400, 'n must be 1.');
  const maxTokens =
    numberOf(fields, 'max_completion_tokens', 1, MAX_TOKENS) ?? numberOf(fields, 'max_tokens', 1, MAX_TOKENS);
  return {
    history: historyOf(fields.messages),
    stream: fields.stream === true,
    includeUsage: isFields(fields.stream_options) && fields.stream_options.include_usage === true,
    maxTokens,
    temperature: numberOf(fields, 'temperature', 0, 2) ?? 0.8,
    format: formatOf(fields.response_format),
  };
}
