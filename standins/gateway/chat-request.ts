/**
 * Chat requests: protocols.md 2.1. Fields that the stand-in does not use (temperature, provider, reasoning, plugins
 * other than web search) are ignored.
 */
import { HttpError, isRecord } from '../http.ts';
import { readPicture, type SentPicture } from './sent-picture.ts';

export interface Message {
  role: string;
  text: string;
  texts: string[];
  pictures: SentPicture[];
  files: string[];
}

export interface ChatRequest {
  model: string;
  /** OpenRouter's list: the model and its fallbacks. */
  models: string[];
  messages: Message[];
  stream: boolean;
  maxTokens: number | null;
  /** {} for json_object, null for text. */
  schema: Record<string, unknown> | null;
  /** Maximum number of web plugin results; null without the plugin. */
  web: number | null;
}

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

export function refuse(message: string): never {
  throw new HttpError(400, 'invalid_request', message);
}

async function readMessage(value: unknown, index: number): Promise<Message> {
  if (!isRecord(value) || typeof value.role !== 'string' || !ROLES.has(value.role))
    refuse(`messages[${index}].role is missing or unknown.`);
  const content = value.content ?? [];
  const message: Message = { role: value.role, text: '', texts: [], pictures: [], files: [] };
  if (typeof content === 'string') return { ...message, text: content, texts: [content] };
  if (!Array.isArray(content)) refuse(`messages[${index}].content must be text or a list of parts.`);
  for (const part of content) {
    if (!isRecord(part)) refuse(`messages[${index}].content holds a part that is no object.`);
    if (part.type === 'text' && typeof part.text === 'string') message.texts.push(part.text);
    else if (part.type === 'image_url' && isRecord(part.image_url))
      message.pictures.push(
        (await readPicture(part.image_url.url)) ??
          refuse(`messages[${index}].content holds no picture as a data URL.`),
      );
    else if (part.type === 'file' && isRecord(part.file))
      message.files.push(String(part.file.filename ?? 'file'));
    else refuse(`messages[${index}].content has a part of unknown type.`);
  }
  return { ...message, text: message.texts.join('\n') };
}

function readMaxTokens(body: Record<string, unknown>): number | null {
  const limit = body.max_completion_tokens ?? body.max_tokens ?? null;
  if (limit === null) return null;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1)
    refuse('max_tokens must be a whole number from 1.');
  return limit;
}

function readSchema(format: unknown): Record<string, unknown> | null {
  if (format === undefined || format === null) return null;
  if (!isRecord(format)) refuse('response_format must be an object.');
  if (format.type === 'text') return null;
  if (format.type === 'json_object') return isRecord(format.schema) ? format.schema : {};
  const wrapper = format.json_schema;
  if (format.type !== 'json_schema' || !isRecord(wrapper) || !isRecord(wrapper.schema))
    refuse('response_format.json_schema.schema is missing.');
  return wrapper.schema;
}

/** https://openrouter.ai/docs/guides/features/plugins/web-search */
function readWeb(plugins: unknown): number | null {
  if (!Array.isArray(plugins)) return null;
  const web = plugins.find((each) => isRecord(each) && each.id === 'web');
  if (!web) return null;
  const maxResults = web.max_results ?? 5;
  if (!Number.isInteger(maxResults) || maxResults < 1 || maxResults > 20)
    refuse('plugins.max_results must be from 1 to 20.');
  return maxResults;
}

export async function readChatRequest(body: unknown): Promise<ChatRequest> {
  if (!isRecord(body)) refuse('The body must be a JSON object.');
  const model = body.model ?? (Array.isArray(body.models) ? body.models[0] : undefined);
  if (typeof model !== 'string' || model === '') refuse('No model was given.');
  if (!Array.isArray(body.messages) || body.messages.length === 0) refuse('Input required: messages.');
  const models = Array.isArray(body.models)
    ? body.models.filter((each) => typeof each === 'string')
    : [model];
  return {
    model,
    models,
    messages: await Promise.all(body.messages.map(readMessage)),
    stream: body.stream === true,
    maxTokens: readMaxTokens(body),
    schema: readSchema(body.response_format),
    web: readWeb(body.plugins),
  };
}

export function lastUserText(messages: Message[]): string {
  return messages.findLast((message) => message.role === 'user')?.text ?? '';
}

/** Returns the messages before an interrupted reply and its text; null unless the request asks to continue a reply. */
export function interruptedReply(messages: Message[]): { before: Message[]; partial: string } | null {
  const [reply, instruction] = messages.slice(-2);
  if (reply?.role !== 'assistant' || instruction?.role !== 'user' || !/^continue\b/i.test(instruction.text))
    return null;
  return { before: messages.slice(0, -2), partial: reply.text };
}

/** Whether the system instruction asks for web search queries. */
export const isQueriesRequest = ({ messages }: ChatRequest): boolean =>
  messages.some(({ role, text }) => role === 'system' && /^You write queries for a web search/.test(text));

/** Whether the request is for a title: the system instruction says so, and the token limit only allows a line. */
export function isTitleRequest(request: ChatRequest): boolean {
  return (
    request.schema === null &&
    request.maxTokens !== null &&
    request.maxTokens <= 60 &&
    request.messages.some((message) => message.role === 'system' && /title/i.test(message.text))
  );
}
