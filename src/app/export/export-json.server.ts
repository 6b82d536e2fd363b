import { z } from 'zod';
import type { UserActor } from '#platform/http/actor.server.ts';
import { features } from '../features.ts';

const jsonParts = () => features.flatMap(({ exportEntries }) => Object.entries(exportEntries?.json ?? {}));

const head = { schema: z.literal('schema.json'), version: z.literal(1), exportedAt: z.iso.datetime() };

export function exportJsonSchema(): string {
  const shape = Object.fromEntries(jsonParts().map(([name, { schema }]) => [name, schema]));
  return `${JSON.stringify(z.toJSONSchema(z.object({ ...head, ...shape })), null, 2)}\n`;
}

const columnOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

function applySchema(schema: unknown, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (schema instanceof z.ZodNullable) return applySchema(schema.unwrap(), value);
  if (schema instanceof z.ZodArray) {
    if (Array.isArray(value)) return value.map((each) => applySchema(schema.element, each));
    return isStream(value) ? applySchemaToRows(schema.element, value) : value;
  }
  if (!(schema instanceof z.ZodObject)) return value;
  const row = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, inner]) => [
      name,
      applySchema(inner, row[name] ?? row[columnOf(name)]),
    ]),
  );
}

async function* applySchemaToRows(schema: unknown, rows: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  for await (const row of rows) yield applySchema(schema, row);
}

async function* serialize(value: unknown): AsyncGenerator<string> {
  if (isStream(value)) {
    let separator = '[\n';
    for await (const row of value) {
      yield separator;
      yield* serialize(row);
      separator = ',\n';
    }
    yield separator === '[\n' ? '[]' : ']';
  } else if (typeof value === 'object' && value !== null && Object.values(value).some(isStream)) {
    let separator = '{';
    for (const [name, inner] of Object.entries(value)) {
      yield `${separator}${JSON.stringify(name)}:`;
      yield* serialize(inner);
      separator = ',';
    }
    yield '}';
  } else yield JSON.stringify(value);
}

export async function* exportJson(actor: UserActor, exportedAt: Date): AsyncGenerator<string> {
  yield `${JSON.stringify({ schema: 'schema.json', version: 1, exportedAt }, null, 2).slice(0, -2)}`;
  for (const [name, { schema, read }] of jsonParts()) {
    const value = read(actor);
    yield `,\n"${name}": `;
    yield* serialize(applySchema(schema, isStream(value) ? value : await value));
  }
  yield '\n}\n';
}
