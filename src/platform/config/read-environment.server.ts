import process from 'node:process';
import type { z } from 'zod';
import { type Environment, environmentSchema, variables } from './environment-schema.server.ts';
import { nearestName } from './nearest-name.ts';

export interface EnvironmentReading {
  values: Environment;
  warnings: string[];
}

export class ConfigurationError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

const prefixes =
  /^(LLM|IMAGE|CREEM|GOOGLE_CLIENT|GITHUB_CLIENT|SMTP|MAIL|AUTH|PUBLIC|DATABASE|STANDINS|TRUSTED|SPEND|CONTEXT|FAIR|RUNNING|SANDBOX|METRICS|TRANSCRIPTION|FILES|S3|BACKUP)_/;

function unknownVariableLine(name: string, known: readonly string[]): string | null {
  const hasKnownPrefix = prefixes.test(name);
  // Short names are too similar to the system's own (HOME, PATH).
  if (!hasKnownPrefix && name.length < 7) return null;
  const nearest = nearestName(name, known, hasKnownPrefix ? 4 : 2);
  if (nearest) return `Unknown variable ${name}; did you mean ${nearest}?`;
  return hasKnownPrefix ? `Unknown variable ${name}.` : null;
}

/** The only reader of the process environment. Empty values count as unset. */
export function readEnvironment(
  source: Record<string, string | undefined> = process.env,
): EnvironmentReading {
  const known = variables().map((variable) => variable.name as string);
  const given: Record<string, string> = {};
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(source)) {
    if (known.includes(name)) {
      if (value !== undefined && value.trim() !== '') given[name] = value;
    } else {
      const line = unknownVariableLine(name, known);
      if (line) warnings.push(line);
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

/** Node's cache folder for compiled code; child processes with an empty environment do not inherit it. */
export const compileCache = (): string | undefined => process.env.NODE_COMPILE_CACHE;
