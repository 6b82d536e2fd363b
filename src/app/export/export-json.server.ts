import { z } from 'zod';
import type { UserActor } from '#platform/http/actor.server.ts';
import { features } from '../features.ts';

const parts = () => features.flatMap(({ exportEntries }) => Object.entries(exportEntries?.json ?? {}));

const head = { schema: z.literal('schema.json'), version: z.literal(1), exportedAt: z.iso.datetime() };

export function exportJsonSchema(): string {
  const shape = Object.fromEntries(parts().map(([name, { schema }]) => [name, schema]));
  return `${JSON.stringify(z.toJSONSchema(z.object({ ...head, ...shape })), null, 2)}\n`;
}

const columnOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const isRead = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

function shaped(schema: unknown, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (schema instanceof z.ZodNullable) return shaped(schema.unwrap(), value);
  if (schema instanceof z.ZodArray) {
    if (Array.isArray(value)) return value.map((each) => shaped(schema.element, each));
    return isRead(value) ? shapedRows(schema.element, value) : value;
  }
  if (!(schema instanceof z.ZodObject)) return value;
  const row = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, inner]) => [
      name,
      shaped(inner, row[name] ?? row[columnOf(name)]),
    ]),
  );
}

async function* shapedRows(schema: unknown, rows: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  for await (const row of rows) yield shaped(schema, row);
}

async function* written(value: unknown): AsyncGenerator<string> {
  if (isRead(value)) {
    let before = '[\n';
    for await (const row of value) {
      yield before;
      yield* written(row);
      before = ',\n';
    }
    yield before === '[\n' ? '[]' : ']';
  } else if (typeof value === 'object' && value !== null && Object.values(value).some(isRead)) {
    let before = '{';
    for (const [name, inner] of Object.entries(value)) {
      yield `${before}${JSON.stringify(name)}:`;
      yield* written(inner);
      before = ',';
    }
    yield '}';
  } else yield JSON.stringify(value);
}

export async function* exportJson(actor: UserActor, exportedAt: Date): AsyncGenerator<string> {
  yield `${JSON.stringify({ schema: 'schema.json', version: 1, exportedAt }, null, 2).slice(0, -2)}`;
  for (const [name, { schema, read }] of parts()) {
    const value = read(actor);
    yield `,\n"${name}": `;
    yield* written(shaped(schema, isRead(value) ? value : await value));
  }
  yield '\n}\n';
}
