import { z } from 'zod';
import { infoOf, type VariableInfo, variable } from './described-variable.server.ts';
import { push } from './push-variables.server.ts';
import { standIns } from './standin-variables.server.ts';
import { storage } from './storage-variables.server.ts';
import { traces } from './trace-variables.server.ts';
import { transcription } from './transcription-variables.server.ts';
import {
  addresses,
  count,
  flag,
  isNetworkList,
  number,
  origin,
  packs,
  port,
  prices,
  text,
  url,
} from './variable-kinds.server.ts';
import { webSearch } from './web-search-variables.server.ts';

const server = {
  PORT: variable(port().optional(), {
    group: 'Server',
    about: 'Port of the site. Default: 3000, or the next free port.',
    example: '3000',
  }),
  HOST: variable(z.string().trim().default('127.0.0.1'), {
    group: 'Server',
    about: 'Address to listen on. Anything but loopback turns off the sandbox and requires PUBLIC_URL.',
  }),
  PUBLIC_URL: variable(origin().optional(), {
    group: 'Server',
    about: 'The address people type. Links in emails start with it. Must be https outside the sandbox.',
    example: 'https://example.com',
    public: true,
  }),
  DATA_DIR: variable(z.string().trim().default('./data'), {
    group: 'Server',
    about: 'Folder for the embedded database, files and generated secrets.',
  }),
  AUTH_SECRET: variable(text(), {
    group: 'Server',
    about:
      'At least 32 random characters. In the sandbox, the first run creates it and keeps it in DATA_DIR.',
    secret: true,
  }),
  TRUSTED_PROXIES: variable(
    z.string().default('').refine(isNetworkList, 'must be addresses or networks (CIDR), separated by commas'),
    {
      group: 'Server',
      about:
        'Addresses or networks (CIDR) of your proxies, separated by commas. Their X-Forwarded-For and traceparent are trusted.',
      example: '10.0.0.0/8,::1',
    },
  ),
  SANDBOX: variable(flag().optional(), {
    group: 'Server',
    about: 'false turns off the local stand-ins. Default: true while the site is only on loopback.',
    example: 'false',
    public: true,
  }),
  ...standIns,
  METRICS_TOKEN: variable(z.string().trim().min(32, 'must be at least 32 random characters').optional(), {
    group: 'Server',
    about:
      'Bearer token for /metrics, at least 32 random characters; once set, nobody can read /metrics without it. Unset: /metrics is open only to this machine, and only in the sandbox without PUBLIC_URL.',
    secret: true,
  }),
  DRAIN_SECONDS: variable(
    number()
      .int('must be a whole number')
      .min(0, 'must be 0 or more')
      .max(3600, 'must be 3600 or less')
      .default(25),
    {
      group: 'Server',
      about:
        'Seconds that running replies get to finish after SIGTERM, before they are interrupted and refunded. Whatever stops the process must wait up to 10 more; many platforms wait 30 in total.',
    },
  ),
  JOBS: variable(flag().default(true), {
    group: 'Server',
    about:
      'false: this process runs no background jobs (emails, cleanup, the audit, backups), so another process must. Requires DATABASE_URL.',
  }),
  LOG_LEVEL: variable(z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional(), {
    group: 'Server',
    about: 'debug, info, warn, error or silent. Default: warn in the sandbox, otherwise info.',
    example: 'info',
  }),
};

const models = {
  LLM_BASE_URL: variable(url().optional(), {
    group: 'Models',
    about: 'Base URL of an OpenAI-compatible API. Unset: the local stand-in.',
    example: 'https://openrouter.ai/api/v1',
  }),
  LLM_API_KEY: variable(text(), { group: 'Models', about: 'Key for LLM_BASE_URL.', secret: true }),
  LLM_MODEL: variable(z.string().trim().default('openai/gpt-4o-mini'), {
    group: 'Models',
    about: 'Model for chat and texts.',
  }),
  IMAGE_MODEL: variable(z.string().trim().default('google/gemini-2.5-flash-image'), {
    group: 'Models',
    about: 'Model for images.',
  }),
  IMAGE_BASE_URL: variable(url().optional(), {
    group: 'Models',
    about: 'Base URL of the API that creates images. Unset: LLM_BASE_URL.',
    example: 'https://api.openai.com/v1',
  }),
  IMAGE_API_KEY: variable(text(), {
    group: 'Models',
    about: 'Key for IMAGE_BASE_URL. Unset: LLM_API_KEY, if both addresses have the same host.',
    secret: true,
  }),
  IMAGE_PROTOCOL: variable(
    z.enum(['openrouter', 'openai'], { error: 'must be openrouter or openai' }).optional(),
    {
      group: 'Models',
      about:
        'openrouter calls /images with a ratio, openai calls /images/generations with a size. Default: depends on the host.',
      example: 'openai',
    },
  ),
  CONTEXT_TOKENS: variable(number().int().min(1000, 'must be 1000 or more').default(16_000), {
    group: 'Models',
    about: 'How many tokens of a chat are sent with each message.',
    public: true,
  }),
  LLM_PRICES: variable(prices().optional(), {
    group: 'Models',
    about:
      'Model prices in US dollars, for gateways that do not report the cost of each call: MODEL=INPUT/OUTPUT per million tokens or MODEL=PRICE per image, separated by commas, * for all other models. Unset: the prices in the model list of the gateway, if it has them (OpenRouter).',
    example: 'gpt-4o-mini=0.15/0.60,gpt-image-1=0.04',
  }),
  FIRST_TOKEN_SECONDS: variable(
    number().min(1, 'must be 1 or more').max(600, 'must be 600 or less').default(120),
    {
      group: 'Models',
      about:
        'Seconds to wait for the first token; a model that thinks, or is still loading, takes longer. A full answer may take 150 more.',
    },
  ),
  SPEND_CAP_DAY: variable(number().positive('must be more than 0').optional(), {
    group: 'Models',
    about:
      'US dollars per UTC day for the whole site. Above the cap, new work and the next call of running work wait until tomorrow. Every call counts, even stopped ones: at the cost the gateway reports, or else by its tokens and the price of its model. A model with an unknown price counts as an expensive one, and npm run doctor warns you. Unset: no cap.',
    example: '25',
  }),
};

const signIn = {
  ADMIN_EMAILS: variable(addresses(), {
    group: 'Sign-in',
    about:
      'Email addresses of the accounts that can open /admin, separated by commas. Unset: nobody, and the page does not exist.',
    example: 'you@example.com',
  }),
  SIGN_IN_MAILS_HOUR: variable(count(1000), {
    group: 'Sign-in',
    about:
      'How many sign-in emails per hour are normal for the whole site. Above it, people with an account can still sign in, but networks of strangers wait after three; the log has a warning. Raise it as the site grows.',
  }),
  GOOGLE_CLIENT_ID: variable(text(), {
    group: 'Sign-in',
    about:
      'OAuth client for Google sign-in; its redirect URI is PUBLIC_URL/api/auth/google/callback. Unset: not offered.',
  }),
  GOOGLE_CLIENT_SECRET: variable(text(), {
    group: 'Sign-in',
    about: 'Secret of GOOGLE_CLIENT_ID.',
    secret: true,
  }),
  GOOGLE_ISSUER: variable(url().default('https://accounts.google.com'), {
    group: 'Sign-in',
    about: 'Issuer of the id_token.',
  }),
  GOOGLE_AUTHORIZE_URL: variable(url().default('https://accounts.google.com/o/oauth2/v2/auth'), {
    group: 'Sign-in',
    about: 'Authorization endpoint.',
  }),
  GOOGLE_TOKEN_URL: variable(url().default('https://oauth2.googleapis.com/token'), {
    group: 'Sign-in',
    about: 'Token endpoint.',
  }),
  GOOGLE_JWKS_URL: variable(url().default('https://www.googleapis.com/oauth2/v3/certs'), {
    group: 'Sign-in',
    about: 'JWKS endpoint, with the signing keys.',
  }),
  GOOGLE_OFFLINE: variable(flag().default(false), {
    group: 'Sign-in',
    about:
      'true requests offline access and shows the consent prompt each time. No token is stored either way.',
  }),
  GITHUB_CLIENT_ID: variable(text(), {
    group: 'Sign-in',
    about:
      'OAuth app for GitHub sign-in; its callback URL is PUBLIC_URL/api/auth/github/callback. Unset: not offered.',
  }),
  GITHUB_CLIENT_SECRET: variable(text(), {
    group: 'Sign-in',
    about: 'Secret of GITHUB_CLIENT_ID.',
    secret: true,
  }),
  GITHUB_AUTHORIZE_URL: variable(url().default('https://github.com/login/oauth/authorize'), {
    group: 'Sign-in',
    about: 'Authorization endpoint.',
  }),
  GITHUB_TOKEN_URL: variable(url().default('https://github.com/login/oauth/access_token'), {
    group: 'Sign-in',
    about: 'Token endpoint.',
  }),
  GITHUB_API_URL: variable(url().default('https://api.github.com'), {
    group: 'Sign-in',
    about: 'API endpoint for the profile and email addresses.',
  }),
};

export const environmentSchema = z.object({
  ...server,
  DATABASE_URL: variable(
    z
      .string()
      .trim()
      .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
      .optional(),
    {
      group: 'Database',
      about:
        'An external PostgreSQL 15 or later, over a direct connection (no pooler). Unset: the embedded one.',
      example: 'postgres://user:password@localhost:5432/site',
      secret: true,
    },
  ),
  ...storage,
  ...models,
  ...transcription,
  ...webSearch,
  RUNNING_AT_ONCE: variable(count(2), {
    group: 'Limits',
    about: 'How many replies one person can have running at once.',
    public: true,
  }),
  FAIR_USE_CHAT: variable(count(300), {
    group: 'Limits',
    about: 'Messages per UTC day on an unlimited plan.',
    public: true,
  }),
  RELEASED_PER_HOUR: variable(count(20), {
    group: 'Limits',
    about:
      'How many runs per person and hour may end uncharged because of what the person did: stopped before the first text, refused by the provider, or answered without a result.',
    public: true,
  }),
  RELEASED_PER_DAY: variable(count(60), {
    group: 'Limits',
    about: 'The same, per UTC day.',
    public: true,
  }),
  CREEM_API_KEY: variable(text(), {
    group: 'Payments',
    about:
      'Key for the payment provider Creem, which sells the plans and requires every image prompt to pass its moderation. Unset: nothing is for sale, and the site does not moderate prompts.',
    secret: true,
  }),
  CREEM_WEBHOOK_SECRET: variable(text(), {
    group: 'Payments',
    about: 'Secret of the webhook that Creem sends to PUBLIC_URL/api/webhooks/creem. Required to sell.',
    secret: true,
  }),
  CREEM_PRODUCT_MONTHLY: variable(text(), {
    group: 'Payments',
    about: 'ID of the product that renews every month, at the price in the price table. Unset: not for sale.',
    example: 'prod_1',
  }),
  CREEM_PRODUCT_QUARTERLY: variable(text(), {
    group: 'Payments',
    about: 'ID of the product that renews every three months. Unset: not for sale.',
    example: 'prod_2',
  }),
  CREEM_PRODUCT_YEARLY: variable(text(), {
    group: 'Payments',
    about: 'ID of the product that renews every year. Unset: not for sale.',
    example: 'prod_3',
  }),
  CREEM_PACKS: variable(packs().optional(), {
    group: 'Payments',
    about:
      'Credit packs, sold as one-time purchases: the ID of each one-time product and its credits. Unset: none for sale.',
    example: 'prod_4=100,prod_5=500',
  }),
  CREEM_BASE_URL: variable(url().optional(), {
    group: 'Payments',
    about:
      'Address of the Creem API. Default: https://api.creem.io, or https://test-api.creem.io for a test key.',
    example: 'https://api.creem.io',
  }),
  SMTP_URL: variable(
    z
      .string()
      .trim()
      .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
      .refine((value) => URL.parse(value) !== null, 'must be a valid address')
      .optional(),
    {
      group: 'Mail',
      about: 'Mail server that sends the emails. Unset: the local mailbox.',
      example: 'smtp://user:password@mail.example.com:587',
      secret: true,
    },
  ),
  MAIL_FROM: variable(text(), {
    group: 'Mail',
    about: 'Sender of the emails.',
    example: 'Example <hello@example.com>',
  }),
  ...push,
  ...signIn,
  ...traces,
});

export type Environment = z.infer<typeof environmentSchema>;

export function variables(): Array<{ name: keyof Environment; info: VariableInfo; fallback: string }> {
  return Object.entries(environmentSchema.shape).map(([name, schema]) => {
    const info = infoOf(schema as z.ZodType);
    if (!info) throw new Error(`The variable ${name} is not described.`);
    return { name: name as keyof Environment, info, fallback: defaultOf(schema as z.ZodType) };
  });
}

function defaultOf(schema: z.ZodType): string {
  const result = schema.safeParse(undefined);
  return result.success && result.data !== undefined ? String(result.data) : '';
}
