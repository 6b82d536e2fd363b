import type { Citation } from './gateway-types.ts';

/** Parsed by hand instead of by a schema, because this runs once per token. */
export interface Chunk {
  text: string;
  thinking: string;
  citations: Citation[];
  alive: boolean;
  token: boolean;
  finish: string | null;
  usage: unknown;
  /** In any of the shapes that servers send (protocols.md 2.2, 2.6). */
  error: unknown;
  id: string;
  model: string;
}

type Json = Record<string, unknown>;

const MAX_NAME = 200;

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function parseRecord(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function firstChoice(choices: unknown): Json | null {
  if (!Array.isArray(choices)) return null;
  for (const choice of choices) {
    if (isRecord(choice) && (choice.index ?? 0) === 0) return choice;
  }
  return null;
}

function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (!Array.isArray(content)) return undefined;
  let text = '';
  for (const part of content) {
    if (isRecord(part) && typeof part.text === 'string') text += part.text;
  }
  return text;
}

const hasText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Reads OpenRouter's `reasoning_details`, sometimes the only form that is sent; encrypted items contain no text. */
function thinkingOfDetails(details: unknown[]): string {
  let thinking = '';
  for (const detail of details) {
    if (!isRecord(detail)) continue;
    const text = detail.type === 'reasoning.summary' ? detail.summary : detail.text;
    if (hasText(text)) thinking += text;
  }
  return thinking;
}

/** Takes the first field with text, because some servers send the same text in several fields. */
function thinkingOf({ reasoning, reasoning_content, reasoning_details }: Json): string {
  if (hasText(reasoning)) return reasoning;
  if (hasText(reasoning_content)) return reasoning_content;
  return Array.isArray(reasoning_details) ? thinkingOfDetails(reasoning_details) : '';
}

const noCitations: Citation[] = [];

function citationsOf({ annotations }: Json): Citation[] {
  if (!Array.isArray(annotations)) return noCitations;
  return annotations.flatMap((each: unknown) => {
    const cited = isRecord(each) && each.type === 'url_citation' ? each.url_citation : null;
    if (!isRecord(cited) || !hasText(cited.url)) return [];
    return [{ url: cited.url, title: hasText(cited.title) ? cited.title : '' }];
  });
}

const hasDetails = ({ reasoning_details: details }: Json) => Array.isArray(details) && details.length > 0;

function errorOf(value: Json, choice: Json | null, event: string | undefined): unknown {
  if (value.error) return value.error;
  if (choice?.error) return choice.error;
  return value.object === 'error' || event === 'error' ? value : null;
}

function nameOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_NAME) : '';
}

/** `event` is 'error' on some servers. Returns null if `data` is no JSON object or its content has an unknown shape. */
export function readChunk(data: string, event?: string): Chunk | null {
  const value = parseRecord(data);
  if (!value) return null;
  const choice = firstChoice(value.choices);
  const message = choice?.delta ?? choice?.message;
  const delta = isRecord(message) ? message : {};
  let text = textOf(delta.content);
  if (text === undefined) return null;
  // OpenAI sends a refusal in a separate field, with null content. It is the reply.
  if (text === '' && typeof delta.refusal === 'string') text = delta.refusal;
  const finish =
    typeof choice?.finish_reason === 'string' && choice.finish_reason !== '' ? choice.finish_reason : null;
  const thinking = thinkingOf(delta);
  return {
    text,
    thinking,
    citations: citationsOf(delta),
    alive: choice !== null,
    token: text !== '' || finish !== null || thinking !== '' || hasDetails(delta),
    finish,
    usage: value.usage,
    error: errorOf(value, choice, event),
    id: nameOf(value.id),
    model: nameOf(value.model),
  };
}
