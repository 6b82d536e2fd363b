import { z } from 'zod/mini';
import { ApiRefusal } from './api-error.server.ts';

export const nullish = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema));

/** The values with which clients say that they do not use a field: false, 0 and empty ones. */
export function isUnset(value: unknown): boolean {
  if (typeof value !== 'object') return value === false || value === 0;
  return Object.keys(value ?? {}).length === 0;
}

const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at ? '.' : ''}${String(part)}`))
    .join('');

export const invalidValue = (param: string, hint: string) =>
  new ApiRefusal('bad_request', `Invalid value for '${param}'.${hint}`, { code: 'invalid_value', param });

interface FieldRules {
  /** Fields that would change the outcome and are not supported; the function accepts values that mean the default. */
  unsupported: Readonly<Record<string, (value: unknown) => boolean>>;
  /** Describes valid values, by the last part of a field's name. */
  hints: Readonly<Record<string, string>>;
}

/** Ignores unknown fields. @throws ApiRefusal that names the first invalid field */
export function readFields<T extends z.ZodMiniType>(
  body: Record<string, unknown>,
  schema: T,
  { unsupported, hints }: FieldRules,
): z.output<T> {
  for (const [param, isHarmless] of Object.entries(unsupported)) {
    const value = body[param];
    if (value === undefined || value === null || isHarmless(value)) continue;
    const message = `Unsupported value: '${param}' is not supported here.`;
    throw new ApiRefusal('bad_request', message, { code: 'unsupported_parameter', param });
  }
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  const param = pathOf(error.issues[0]?.path ?? []);
  throw invalidValue(param, hints[param.split('.').at(-1) ?? ''] ?? '');
}
