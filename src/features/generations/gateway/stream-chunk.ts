/** Narrowed by hand: this runs once a token. */
export interface Chunk {
  text: string;
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

function hasReasoning(delta: Json): boolean {
  const said = delta.reasoning ?? delta.reasoning_content;
  return (
    (typeof said === 'string' && said !== '') ||
    (Array.isArray(delta.reasoning_details) && delta.reasoning_details.length > 0)
  );
}

function errorOf(value: Json, choice: Json | null, event: string | undefined): unknown {
  if (value.error) return value.error;
  if (choice?.error) return choice.error;
  return value.object === 'error' || event === 'error' ? value : null;
}

function nameOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_NAME) : '';
}

/**
 * `event` is 'error' with some servers. Null for data that is not a JSON object, or whose text has an unknown shape.
 */
export function readChunk(data: string, event?: string): Chunk | null {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return null;
  }
  if (!isRecord(value)) return null;
  const choice = firstChoice(value.choices);
  const said = choice?.delta ?? choice?.message;
  const delta = isRecord(said) ? said : {};
  let text = textOf(delta.content);
  if (text === undefined) return null;
  // A refusal in words comes in a field of its own, with content null (OpenAI). It is the reply.
  if (text === '' && typeof delta.refusal === 'string') text = delta.refusal;
  const finish =
    typeof choice?.finish_reason === 'string' && choice.finish_reason !== '' ? choice.finish_reason : null;
  return {
    text,
    alive: choice !== null,
    token: text !== '' || finish !== null || hasReasoning(delta),
    finish,
    usage: value.usage,
    error: errorOf(value, choice, event),
    id: nameOf(value.id),
    model: nameOf(value.model),
  };
}
