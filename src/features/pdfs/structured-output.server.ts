import { z } from 'zod';
import {
  callFailure,
  delimiterId,
  frameAsData,
  type GatewayMessage,
  generateText,
  type RunContext,
  RunFailure,
} from '#features/generations/service.server.ts';
import { cleanLine } from '#shared/clean-text.ts';
import type { DocumentFailure } from './document-failures.server.ts';

/** Limits per answer. It does not stream, so most of the time passes before the first byte. */
const bounds = { idleMs: 30_000, answerMs: 30_000, eventBytes: 1024 * 1024, textBytes: 128 * 1024 };

/** How long to omit the schema after the gateway has refused it. */
const SCHEMA_PAUSE_MS = 3_600_000;
let formatRefusedAt = -Infinity;

export interface ObjectRequest<T extends z.ZodType> {
  context: RunContext;
  purpose: string;
  name: string;
  schema: T;
  messages: GatewayMessage[];
  maxTokens: number;
}

function extractObject(text: string): unknown {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  try {
    return JSON.parse(text.slice(from, to + 1));
  } catch {
    return undefined;
  }
}

async function call<T extends z.ZodType>(request: ObjectRequest<T>, messages: GatewayMessage[]) {
  const { context, purpose, name, schema, maxTokens } = request;
  const json_schema = { name, strict: true, schema: z.toJSONSchema(schema) };
  const send = async (turns: GatewayMessage[], responseFormat?: unknown) => {
    const common = { context, purpose, temperature: 0.2, maxTokens, bounds };
    return (await generateText({ ...common, messages: turns, responseFormat })).text;
  };
  const shape = `Answer with one JSON object that follows this JSON Schema, and nothing else:\n${JSON.stringify(json_schema.schema)}`;
  const described: GatewayMessage[] = [...messages, { role: 'system', content: shape }];
  if (performance.now() - formatRefusedAt < SCHEMA_PAUSE_MS) return send(described);
  try {
    return await send(messages, { type: 'json_schema', json_schema });
  } catch (error) {
    const { status = null } = callFailure(error) ?? {};
    if (status !== 400 && status !== 422) throw error;
    const text = await send(described);
    // The retry without a schema succeeded, so the schema was the reason for the refusal.
    formatRefusedAt = performance.now();
    return text;
  }
}

/**
 * Returns the model's answer as an object. An invalid answer is sent back once with the validation error.
 * @throws GatewayError; RunFailure if the second answer is invalid too
 */
export async function generateObject<T extends z.ZodType>(request: ObjectRequest<T>): Promise<z.infer<T>> {
  const text = await call(request, request.messages);
  const first = request.schema.safeParse(extractObject(text));
  if (first.success) return first.data;
  const issues = z.prettifyError(first.error).slice(0, 1_000);
  const retry: GatewayMessage[] = [
    { role: 'assistant', content: text.slice(0, 20_000) },
    {
      role: 'user',
      content: `This is not the JSON that was asked for:\n${issues}\nAnswer with the whole JSON object alone.`,
    },
  ];
  const second = request.schema.safeParse(
    extractObject(await call(request, [...request.messages, ...retry])),
  );
  if (second.success) return second.data;
  throw new RunFailure(
    'unreadable',
    'pdfs_answer_unreadable' satisfies DocumentFailure,
    `${request.purpose}: ${z.prettifyError(second.error)}`.slice(0, 300),
  );
}

/** Returns one line of limited length that PostgreSQL can store. */
export const cleanAnswer = (text: string, length = 900): string => cleanLine(text, length);

/** @param id of the run */
export function framedPages(
  name: string,
  id: string,
  pages: ReadonlyArray<{ page: number; text: string }>,
): string {
  const marked = pages.map(
    ({ page, text }) => `[Page ${page}]\n${text.replace(/^\[ ?(page) ?(\d+) ?\]$/gim, '($1 $2)')}`,
  );
  const about = `The following is the text of the document ${JSON.stringify(name)}.`;
  return frameAsData(about, `document ${delimiterId(id)}`, [marked.join('\n\n')]);
}
