import { z } from 'zod';

/** How a variable is shown in .env.example and checked by the doctor. */
export interface VariableInfo {
  group: string;
  about: string;
  secret?: boolean;
  /** Shown to the browser through `publicConfig`. */
  public?: boolean;
}

const info = new Map<z.ZodType, VariableInfo>();
function variable<T extends z.ZodType>(schema: T, about: VariableInfo): T {
  info.set(schema, about);
  return schema;
}

const text = () => z.string().trim().min(1).optional();
const url = () => z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional();
const port = () => z.coerce.number().int().min(0).max(65535);
const flag = () =>
  z
    .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
    .transform((value) => value === 'true' || value === '1');
const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

/** Every variable of the environment, in the order of .env.example. An empty value counts as absent. */
export const environmentSchema = z.object({
  PORT: variable(port().optional(), {
    group: 'Server',
    about: 'Port of the site. Default 3000, or the next free one.',
  }),
  HOST: variable(z.string().trim().default('127.0.0.1'), {
    group: 'Server',
    about: 'Address to listen on. Anything but loopback ends the sandbox and needs PUBLIC_URL.',
  }),
  PUBLIC_URL: variable(url(), {
    group: 'Server',
    about: 'The address that people type, e.g. https://example.com. Links in mails start with it.',
    public: true,
  }),
  DATA_DIR: variable(z.string().trim().default('./data'), {
    group: 'Server',
    about: 'Folder for the embedded database, files and generated secrets.',
  }),
  AUTH_SECRET: variable(text(), {
    group: 'Server',
    about: 'At least 32 random characters. Made on first run and kept in DATA_DIR when unset.',
    secret: true,
  }),
  TRUSTED_PROXIES: variable(z.string().default(''), {
    group: 'Server',
    about: 'Comma-separated addresses or networks (CIDR) whose X-Forwarded-For counts.',
  }),
  SANDBOX: variable(flag().optional(), {
    group: 'Server',
    about: 'false forbids the local stand-ins. Default: true while the site is on loopback only.',
  }),
  STANDINS_PORT: variable(port().optional(), {
    group: 'Server',
    about: 'Port of the local stand-ins. Default PORT + 1.',
  }),
  STANDINS_MARKERS: variable(flag().optional(), {
    group: 'Server',
    about: 'true lets a message choose how the stand-in gateway behaves; for tests.',
  }),
  METRICS_TOKEN: variable(text(), {
    group: 'Server',
    about: 'Bearer token for /metrics from outside loopback.',
    secret: true,
  }),
  LOG_LEVEL: variable(z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional(), {
    group: 'Server',
    about: 'debug, info, warn, error or silent. Default: warn in the sandbox, else info.',
  }),
  DATABASE_URL: variable(
    z
      .string()
      .trim()
      .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
      .optional(),
    {
      group: 'Database',
      about: 'An external PostgreSQL 15 or later, by a direct connection. Unset: the embedded one.',
      secret: true,
    },
  ),
  LLM_BASE_URL: variable(url(), {
    group: 'Models',
    about: 'An OpenAI-compatible address, e.g. https://openrouter.ai/api/v1. Unset: the local stand-in.',
  }),
  LLM_API_KEY: variable(text(), { group: 'Models', about: 'Key for LLM_BASE_URL.', secret: true }),
  LLM_MODEL: variable(z.string().trim().default('openai/gpt-4o-mini'), {
    group: 'Models',
    about: 'Model of chat and texts.',
  }),
  CONTEXT_TOKENS: variable(z.coerce.number().int().min(1000).default(16_000), {
    group: 'Models',
    about: 'Tokens of a conversation that are sent with a message.',
  }),
  SPEND_CAP_DAY: variable(z.coerce.number().positive().optional(), {
    group: 'Models',
    about: 'US dollars a UTC day for the whole site; above it new work waits until tomorrow.',
  }),
  RUNNING_AT_ONCE: variable(count(2), {
    group: 'Limits',
    about: 'Replies that one person may have running at once.',
  }),
  FAIR_USE_CHAT: variable(count(300), { group: 'Limits', about: 'Messages a UTC day on an unlimited plan.' }),
  SMTP_URL: variable(
    z
      .string()
      .trim()
      .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
      .optional(),
    { group: 'Mail', about: 'smtp://user:password@host:port. Unset: the local mailbox.', secret: true },
  ),
  MAIL_FROM: variable(text(), {
    group: 'Mail',
    about: 'Sender of the mails, e.g. Example <hello@example.com>.',
  }),
});

/** The environment after parsing. */
export type Environment = z.infer<typeof environmentSchema>;

/** Name, description and default of every variable. */
export function variables(): Array<{ name: keyof Environment; info: VariableInfo; fallback: string }> {
  return Object.entries(environmentSchema.shape).map(([name, schema]) => ({
    name: name as keyof Environment,
    info: info.get(schema as z.ZodType) ?? { group: 'Other', about: '' },
    fallback: defaultOf(schema as z.ZodType),
  }));
}

function defaultOf(schema: z.ZodType): string {
  const parsed = schema.safeParse(undefined);
  return parsed.success && parsed.data !== undefined ? String(parsed.data) : '';
}
