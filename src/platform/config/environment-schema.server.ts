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
    about: 'Port of the site. Default 3000, or the next free one.',
    example: '3000',
  }),
  HOST: variable(z.string().trim().default('127.0.0.1'), {
    group: 'Server',
    about: 'Address to listen on. Anything but loopback ends the sandbox and needs PUBLIC_URL.',
  }),
  PUBLIC_URL: variable(origin().optional(), {
    group: 'Server',
    about: 'The address that people type. Links in mails start with it. Must be https outside the sandbox.',
    example: 'https://example.com',
    public: true,
  }),
  DATA_DIR: variable(z.string().trim().default('./data'), {
    group: 'Server',
    about: 'Folder for the embedded database, files and generated secrets.',
  }),
  AUTH_SECRET: variable(text(), {
    group: 'Server',
    about: 'At least 32 random characters. In the sandbox it is made on the first run and kept in DATA_DIR.',
    secret: true,
  }),
  TRUSTED_PROXIES: variable(
    z.string().default('').refine(isNetworkList, 'must be addresses or networks (CIDR), separated by commas'),
    {
      group: 'Server',
      about:
        'Addresses or networks (CIDR), separated by commas, whose X-Forwarded-For and traceparent count.',
      example: '10.0.0.0/8,::1',
    },
  ),
  SANDBOX: variable(flag().optional(), {
    group: 'Server',
    about: 'false forbids the local stand-ins. Default: true while the site is on loopback only.',
    example: 'false',
    public: true,
  }),
  ...standIns,
  METRICS_TOKEN: variable(z.string().trim().min(32, 'must be at least 32 random characters').optional(), {
    group: 'Server',
    about:
      'Bearer token for /metrics, at least 32 random characters; where it is set, nobody reads /metrics without it. Unset: /metrics answers in the sandbox without PUBLIC_URL alone, to this machine.',
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
        'Seconds that running replies may go on after SIGTERM, before they are interrupted and given back. What ends the process must wait up to 10 more; many platforms wait 30 in all.',
    },
  ),
  JOBS: variable(flag().default(true), {
    group: 'Server',
    about:
      'false: this process takes no background jobs (mails, cleaning up, the audit, backups), and another one must. Only with DATABASE_URL.',
  }),
  LOG_LEVEL: variable(z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional(), {
    group: 'Server',
    about: 'debug, info, warn, error or silent. Default: warn in the sandbox, else info.',
    example: 'info',
  }),
};

const models = {
  LLM_BASE_URL: variable(url().optional(), {
    group: 'Models',
    about: 'An OpenAI-compatible address. Unset: the local stand-in.',
    example: 'https://openrouter.ai/api/v1',
  }),
  LLM_API_KEY: variable(text(), { group: 'Models', about: 'Key for LLM_BASE_URL.', secret: true }),
  LLM_MODEL: variable(z.string().trim().default('openai/gpt-4o-mini'), {
    group: 'Models',
    about: 'Model of chat and texts.',
  }),
  IMAGE_MODEL: variable(z.string().trim().default('google/gemini-2.5-flash-image'), {
    group: 'Models',
    about: 'Model of pictures.',
  }),
  IMAGE_BASE_URL: variable(url().optional(), {
    group: 'Models',
    about: 'Address that makes the pictures. Unset: LLM_BASE_URL.',
    example: 'https://api.openai.com/v1',
  }),
  IMAGE_API_KEY: variable(text(), {
    group: 'Models',
    about: 'Key for IMAGE_BASE_URL. Unset: LLM_API_KEY, where the two addresses have the same host.',
    secret: true,
  }),
  IMAGE_PROTOCOL: variable(
    z.enum(['openrouter', 'openai'], { error: 'must be openrouter or openai' }).optional(),
    {
      group: 'Models',
      about:
        'openrouter asks /images by ratio, openai /images/generations by size. Default: by the host of the address.',
      example: 'openai',
    },
  ),
  CONTEXT_TOKENS: variable(number().int().min(1000, 'must be 1000 or more').default(16_000), {
    group: 'Models',
    about: 'Tokens of a conversation that are sent with a message.',
    public: true,
  }),
  LLM_PRICES: variable(prices().optional(), {
    group: 'Models',
    about:
      'What models cost in US dollars, for gateways that do not say it with each call: MODEL=INPUT/OUTPUT for a million tokens or MODEL=PRICE for a picture, several with commas, * for every other model. Unset: the prices in the list of the gateway, where it has them (OpenRouter).',
    example: 'gpt-4o-mini=0.15/0.60,gpt-image-1=0.04',
  }),
  FIRST_TOKEN_SECONDS: variable(
    number().min(1, 'must be 1 or more').max(600, 'must be 600 or less').default(120),
    {
      group: 'Models',
      about:
        'Seconds that a model may take until its first token; one that thinks or is still loaded needs long. A whole answer may take 150 more.',
    },
  ),
  SPEND_CAP_DAY: variable(number().positive('must be more than 0').optional(), {
    group: 'Models',
    about:
      'US dollars a UTC day for the whole site; above it new work and the next call of running work wait until tomorrow. Every call counts, stopped ones too: by what the gateway says that it cost, else by its tokens and the price of its model. A model whose price is not known counts as a dear one, and npm run doctor says so. Unset: no cap.',
    example: '25',
  }),
};

const signIn = {
  ADMIN_EMAILS: variable(addresses(), {
    group: 'Sign-in',
    about:
      'Addresses, separated by commas, of the accounts that may open /admin. Unset: nobody, and there is no such page.',
    example: 'you@example.com',
  }),
  SIGN_IN_MAILS_HOUR: variable(count(1000), {
    group: 'Sign-in',
    about:
      'Sign-in mails an hour for the whole site that are usual. Above it people with an account go on, and networks of strangers wait after three; a warning in the log says so. Raise it as the site grows.',
  }),
  GOOGLE_CLIENT_ID: variable(text(), {
    group: 'Sign-in',
    about:
      'OAuth client for sign-in with Google; its redirect address is PUBLIC_URL/api/auth/google/callback. Unset: not offered.',
  }),
  GOOGLE_CLIENT_SECRET: variable(text(), {
    group: 'Sign-in',
    about: 'Secret of GOOGLE_CLIENT_ID.',
    secret: true,
  }),
  GOOGLE_ISSUER: variable(url().default('https://accounts.google.com'), {
    group: 'Sign-in',
    about: 'Who signs the id_token.',
  }),
  GOOGLE_AUTHORIZE_URL: variable(url().default('https://accounts.google.com/o/oauth2/v2/auth'), {
    group: 'Sign-in',
    about: 'Where the browser is sent.',
  }),
  GOOGLE_TOKEN_URL: variable(url().default('https://oauth2.googleapis.com/token'), {
    group: 'Sign-in',
    about: 'Where codes are exchanged.',
  }),
  GOOGLE_JWKS_URL: variable(url().default('https://www.googleapis.com/oauth2/v3/certs'), {
    group: 'Sign-in',
    about: 'Keys of the issuer.',
  }),
  GOOGLE_OFFLINE: variable(flag().default(false), {
    group: 'Sign-in',
    about: 'true asks for offline access with the consent prompt each time. No token is stored either way.',
  }),
  GITHUB_CLIENT_ID: variable(text(), {
    group: 'Sign-in',
    about:
      'OAuth app for sign-in with GitHub; its callback address is PUBLIC_URL/api/auth/github/callback. Unset: not offered.',
  }),
  GITHUB_CLIENT_SECRET: variable(text(), {
    group: 'Sign-in',
    about: 'Secret of GITHUB_CLIENT_ID.',
    secret: true,
  }),
  GITHUB_AUTHORIZE_URL: variable(url().default('https://github.com/login/oauth/authorize'), {
    group: 'Sign-in',
    about: 'Where the browser is sent.',
  }),
  GITHUB_TOKEN_URL: variable(url().default('https://github.com/login/oauth/access_token'), {
    group: 'Sign-in',
    about: 'Where codes are exchanged.',
  }),
  GITHUB_API_URL: variable(url().default('https://api.github.com'), {
    group: 'Sign-in',
    about: 'API that knows the person and the addresses.',
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
        'An external PostgreSQL 15 or later, by a direct connection (no pooler). Unset: the embedded one.',
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
    about: 'Replies that one person may have running at once.',
    public: true,
  }),
  FAIR_USE_CHAT: variable(count(300), {
    group: 'Limits',
    about: 'Messages a UTC day on an unlimited plan.',
    public: true,
  }),
  RELEASED_PER_HOUR: variable(count(20), {
    group: 'Limits',
    about:
      'Starts of one person in an hour that may end without a charge through their own doing: stopped before the first text, refused by the provider, answered without a result.',
    public: true,
  }),
  RELEASED_PER_DAY: variable(count(60), {
    group: 'Limits',
    about: 'The same for a UTC day.',
    public: true,
  }),
  CREEM_API_KEY: variable(text(), {
    group: 'Payments',
    about:
      'Key of the payment provider Creem, which sells the plans and demands that each prompt for a picture is put to its moderation. Unset: nothing is sold, and prompts are not moderated by us.',
    secret: true,
  }),
  CREEM_WEBHOOK_SECRET: variable(text(), {
    group: 'Payments',
    about: 'Secret of the webhook that Creem sends to PUBLIC_URL/api/webhooks/creem. Needed to sell.',
    secret: true,
  }),
  CREEM_PRODUCT_MONTHLY: variable(text(), {
    group: 'Payments',
    about:
      'Id of the product that renews every month, at the price of the table of prices. Unset: not on sale.',
    example: 'prod_1',
  }),
  CREEM_PRODUCT_QUARTERLY: variable(text(), {
    group: 'Payments',
    about: 'Id of the product that renews every three months. Unset: not on sale.',
    example: 'prod_2',
  }),
  CREEM_PRODUCT_YEARLY: variable(text(), {
    group: 'Payments',
    about: 'Id of the product that renews every year. Unset: not on sale.',
    example: 'prod_3',
  }),
  CREEM_PACKS: variable(packs().optional(), {
    group: 'Payments',
    about:
      'Packs of credits that are bought once: the id of each product, which is paid once, and its credits. Unset: none are on sale.',
    example: 'prod_4=100,prod_5=500',
  }),
  CREEM_BASE_URL: variable(url().optional(), {
    group: 'Payments',
    about: 'Address of Creem. Default: https://api.creem.io, for a test key https://test-api.creem.io.',
    example: 'https://api.creem.io',
  }),
  SMTP_URL: variable(
    z
      .string()
      .trim()
      .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
      .refine((value) => URL.parse(value) !== null, 'cannot be read as an address')
      .optional(),
    {
      group: 'Mail',
      about: 'Server that takes the mails. Unset: the local mailbox.',
      example: 'smtp://user:password@mail.example.com:587',
      secret: true,
    },
  ),
  MAIL_FROM: variable(text(), {
    group: 'Mail',
    about: 'Sender of the mails.',
    example: 'Example <hello@example.com>',
  }),
  ...push,
  ...signIn,
  ...traces,
});

export type Environment = z.infer<typeof environmentSchema>;

export function variables(): Array<{ name: keyof Environment; info: VariableInfo; fallback: string }> {
  return Object.entries(environmentSchema.shape).map(([name, schema]) => {
    const about = infoOf(schema as z.ZodType);
    if (!about) throw new Error(`The variable ${name} is not described.`);
    return { name: name as keyof Environment, info: about, fallback: defaultOf(schema as z.ZodType) };
  });
}

function defaultOf(schema: z.ZodType): string {
  const result = schema.safeParse(undefined);
  return result.success && result.data !== undefined ? String(result.data) : '';
}
