import process from 'node:process';
import type { z } from 'zod';
import { nearest } from './nearest.ts';
import { type Environment, environmentSchema, variables } from './schema.server.ts';

export interface EnvironmentReading {
  values: Environment;
  /** One line each, for variables that look like ours but are not. */
  warnings: string[];
}

/** Thrown with one line a problem; the process prints it and ends with code 1. */
export class ConfigurationError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

const prefixes =
  /^(LLM|IMAGE|CREEM|GOOGLE|GITHUB|SMTP|MAIL|AUTH|PUBLIC|DATA|DATABASE|STANDINS|TRUSTED|SPEND|CONTEXT|FAIR|RUNNING|SANDBOX|METRICS)_?/;
/** Set by CI systems under the same prefixes; not ours. */
const foreign = /^GITHUB_(?!CLIENT)/;

/**
 * The only reader of the process environment. Empty values count as absent.
 * @throws ConfigurationError naming every variable that does not parse.
 */
export function readEnvironment(
  source: Record<string, string | undefined> = process.env,
): EnvironmentReading {
  const known = variables().map((variable) => variable.name as string);
  const given: Record<string, string> = {};
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(source)) {
    if (known.includes(name)) {
      if (value !== undefined && value.trim() !== '') given[name] = value;
    } else if (prefixes.test(name) && !foreign.test(name)) {
      const close = nearest(name, known);
      warnings.push(close ? `Unknown variable ${name}; did you mean ${close}?` : `Unknown variable ${name}.`);
    }
  }
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) {
    throw new ConfigurationError(
      parsed.error.issues.map((issue: z.core.$ZodIssue) => `${issue.path.join('.')}: ${issue.message}`),
    );
  }
  return { values: parsed.data, warnings };
}
