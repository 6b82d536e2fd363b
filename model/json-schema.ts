import { Refusal } from './chat-request.ts';

/** Keywords that restrict values but cannot be converted to a grammar. */
const UNSUPPORTED = ['allOf', 'not', 'if', 'patternProperties', 'dependentSchemas', 'contains'];

/** llama.cpp rejects grammars with more repetitions, or becomes slow. */
const MAX_REPETITIONS = 200;

type Schema = Record<string, unknown>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function refuse(what: string): never {
  throw new Refusal(400, `${what} of a JSON Schema is not supported here.`, 'unsupported_schema');
}

const mapSchemas = (schemas: unknown, name: string): Record<string, Schema> | undefined => {
  if (schemas === undefined) return undefined;
  if (!isSchema(schemas)) refuse(name);
  return Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, grammarSchema(schema)]));
};

const withinLimit = (value: unknown) =>
  typeof value === 'number' && value <= MAX_REPETITIONS ? value : undefined;

function definedOnly(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

/**
 * Returns the schema in the form from which the runtime creates a grammar: every property is required, as in `strict`
 * mode, and `anyOf` becomes `oneOf`. The caller must check number ranges and patterns. @throws Refusal
 */
export function grammarSchema(schema: unknown): Schema {
  if (!isSchema(schema)) refuse('A schema that is no object');
  const unsupported = UNSUPPORTED.find((keyword) => schema[keyword] !== undefined);
  if (unsupported) refuse(`"${unsupported}"`);
  const { type, properties, items, $ref, $defs } = schema;
  const choices = schema.oneOf ?? schema.anyOf;
  const defs = mapSchemas($defs, '"$defs"');
  if ($ref !== undefined) return definedOnly({ $ref, $defs: defs });
  if (choices !== undefined) {
    if (!Array.isArray(choices)) refuse('"anyOf"');
    return definedOnly({ oneOf: choices.map(grammarSchema), $defs: defs });
  }
  if (schema.enum !== undefined) return { enum: schema.enum };
  if (schema.const !== undefined) return { const: schema.const };
  if (type === 'object') {
    const additional = schema.additionalProperties;
    return definedOnly({
      type,
      properties: mapSchemas(properties, '"properties"'),
      additionalProperties: isSchema(additional) ? grammarSchema(additional) : additional,
      $defs: defs,
    });
  }
  if (type === 'array')
    return definedOnly({
      type,
      items: items === undefined ? undefined : grammarSchema(items),
      minItems: withinLimit(schema.minItems),
      maxItems: withinLimit(schema.maxItems),
      $defs: defs,
    });
  if (typeof type === 'string' || Array.isArray(type)) return { type };
  return refuse('A schema without "type"');
}
