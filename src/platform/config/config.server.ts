import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from './environment-schema.server.ts';
import { type LocalModel, readLocalModel } from './local-model.server.ts';
import { ConfigurationError, type EnvironmentReading } from './read-environment.server.ts';

export interface Config extends Omit<Environment, 'AUTH_SECRET' | 'SANDBOX' | 'PORT'> {
  port: number;
  /** False if PORT is unset, so that the next free port may be used. */
  portFixed: boolean;
  dataDir: string;
  publicUrl: string;
  sandbox: boolean;
  secure: boolean;
  authSecret: string;
  /** Address where the stand-in shows mails; null with a real mail server. */
  mailbox: string | null;
  /** The model that `npm run model` installed, unless LLM_BASE_URL or LLM_API_KEY is set; LLM_* then refer to it. */
  localModel: LocalModel | null;
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\]|[\w-]+\.localhost)$/;

export function isLoopbackHost(host: string): boolean {
  // A bare IPv6 address ends in a colon and digits that are not a port.
  const hostname = /^(\[.*\]|[^:]*):\d+$/.exec(host)?.[1] ?? host;
  return loopback.test(hostname.toLowerCase());
}

function isWeakSecret(secret: string): boolean {
  return (
    secret.length < 32 || new Set(secret).size < 10 || /secret|change.?me|password|example/i.test(secret)
  );
}

function storedSecret(dataDir: string, name: string): string {
  const folder = join(dataDir, 'secrets');
  const file = join(folder, name);
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  mkdirSync(dataDir, { recursive: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const secret = randomBytes(32).toString('base64url');
  writeFileSync(file, secret, { mode: 0o600, flag: 'wx' });
  chmodSync(file, 0o600);
  return secret;
}

const endpoints = [
  'GOOGLE_AUTHORIZE_URL',
  'GOOGLE_TOKEN_URL',
  'GOOGLE_JWKS_URL',
  'GITHUB_AUTHORIZE_URL',
  'GITHUB_TOKEN_URL',
  'GITHUB_API_URL',
  'CREEM_BASE_URL',
] as const;

function signInRules(env: Environment): string[] {
  const problems: string[] = [];
  for (const provider of ['GOOGLE', 'GITHUB'] as const) {
    const [id, secret] = [`${provider}_CLIENT_ID`, `${provider}_CLIENT_SECRET`] as const;
    if (env[id] && !env[secret]) problems.push(`${secret}: required with ${id}.`);
    if (env[secret] && !env[id]) problems.push(`${id}: required with ${secret}.`);
  }
  for (const name of endpoints) {
    const address = env[name];
    if (!address) continue;
    const { protocol, hostname } = new URL(address);
    if (protocol !== 'https:' && !isLoopbackHost(hostname))
      problems.push(`${name}: must be https, unless it is on this machine.`);
  }
  return problems;
}

function storageRules(env: Environment): string[] {
  const requiredBy = env.FILES_BUCKET
    ? 'FILES_BUCKET'
    : env.BACKUP_DIR?.startsWith('s3://')
      ? 'BACKUP_DIR'
      : null;
  const problems: string[] = [];
  if (requiredBy)
    for (const name of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const)
      if (!env[name]) problems.push(`${name}: required with ${requiredBy}.`);
  if (env.BACKUP_DIR?.startsWith('s3://') && !/^s3:\/\/[a-z0-9][a-z0-9.-]+(\/|$)/.test(env.BACKUP_DIR))
    problems.push('BACKUP_DIR: must be a folder or s3://bucket/prefix.');
  return problems;
}

function webSearchRules(
  { WEB_SEARCH: engine, WEB_SEARCH_URL: address, WEB_SEARCH_KEY: key }: Environment,
  sandbox: boolean,
): string[] {
  const problems: string[] = [];
  if (!engine && (address || key))
    problems.push(`WEB_SEARCH: required with ${address ? 'WEB_SEARCH_URL' : 'WEB_SEARCH_KEY'}.`);
  if (sandbox && !address && !key) return problems;
  if (engine === 'searxng' && !address) problems.push('WEB_SEARCH_URL: required with WEB_SEARCH=searxng.');
  if (engine === 'brave' && !key) problems.push('WEB_SEARCH_KEY: required with WEB_SEARCH=brave.');
  return problems;
}

const products = ['CREEM_PRODUCT_MONTHLY', 'CREEM_PRODUCT_QUARTERLY', 'CREEM_PRODUCT_YEARLY'] as const;

const creemHosts = { live: 'api.creem.io', test: 'test-api.creem.io' };

function paymentRules(env: Environment, sandbox: boolean): string[] {
  const { CREEM_API_KEY: key, CREEM_BASE_URL: base } = env;
  const problems: string[] = [];
  const sold = products.filter((name) => env[name]);
  const packs = env.CREEM_PACKS ?? [];
  const first = sold[0] ?? (packs.length > 0 ? 'CREEM_PACKS' : undefined);
  if (!key) {
    const requiredBy = base
      ? 'CREEM_BASE_URL'
      : (first ?? (env.CREEM_WEBHOOK_SECRET && 'CREEM_WEBHOOK_SECRET'));
    return requiredBy ? [`CREEM_API_KEY: required with ${requiredBy}.`] : [];
  }
  const test = key.startsWith('creem_test_');
  if (first && !env.CREEM_WEBHOOK_SECRET) problems.push(`CREEM_WEBHOOK_SECRET: required with ${first}.`);
  if (env.CREEM_WEBHOOK_SECRET && env.CREEM_WEBHOOK_SECRET.length < 16)
    problems.push('CREEM_WEBHOOK_SECRET: must be the full webhook secret, 16 characters or more.');
  const duplicate = sold.find((name, at) => sold.findIndex((other) => env[other] === env[name]) < at);
  if (duplicate) problems.push(`${duplicate}: must be a different product for each billing period.`);
  if (packs.some(({ productId }) => sold.some((name) => env[name] === productId)))
    problems.push('CREEM_PACKS: must not use the same products as the plans.');
  if (base && new URL(base).hostname === creemHosts[test ? 'live' : 'test'])
    problems.push(`CREEM_BASE_URL: ${test ? 'a test key does' : 'a live key does'} not work there.`);
  if (sandbox && !test) problems.push('CREEM_API_KEY: must be a test key (creem_test_) in the sandbox.');
  return problems;
}

function rules(env: Environment, sandbox: boolean, publicHost: string | null): string[] {
  const problems = [
    ...signInRules(env),
    ...paymentRules(env, sandbox),
    ...storageRules(env),
    ...webSearchRules(env, sandbox),
  ];
  if (!isLoopbackHost(env.HOST) && !env.PUBLIC_URL)
    problems.push('PUBLIC_URL: required when HOST is not loopback.');
  if (env.SANDBOX === true && !sandbox)
    problems.push('SANDBOX: cannot be true while HOST or PUBLIC_URL is reachable from outside.');
  if (!env.JOBS && !env.DATABASE_URL)
    problems.push('JOBS: false requires DATABASE_URL, so that another process can run the jobs.');
  if (env.AUTH_SECRET && isWeakSecret(env.AUTH_SECRET))
    problems.push('AUTH_SECRET: must be at least 32 random characters, not a default.');
  if (sandbox) {
    if (env.LLM_API_KEY && !env.LLM_BASE_URL) problems.push('LLM_BASE_URL: required with LLM_API_KEY.');
    return problems;
  }
  if (publicHost && !isLoopbackHost(publicHost) && !env.PUBLIC_URL?.startsWith('https://')) {
    problems.push('PUBLIC_URL: must be https outside the sandbox.');
  }
  if (!env.AUTH_SECRET)
    problems.push('AUTH_SECRET: must be set outside the sandbox (32 or more random characters).');
  if (!env.SMTP_URL) problems.push('SMTP_URL: must be set outside the sandbox; people sign in by email.');
  if (!env.MAIL_FROM) problems.push('MAIL_FROM: must be set outside the sandbox.');
  if (!env.LLM_BASE_URL) problems.push('LLM_BASE_URL: must be set outside the sandbox.');
  return problems;
}

/** The environment wins: with a gateway configured, `model` is null. */
function withLocalModel(env: Environment, model: LocalModel | null): Environment {
  if (!model) return env;
  return {
    ...env,
    LLM_BASE_URL: `http://127.0.0.1:${model.port}/v1`,
    LLM_MODEL: model.id,
    CONTEXT_TOKENS: Math.min(env.CONTEXT_TOKENS, model.contextTokens),
  };
}

export function resolveConfig({ values }: EnvironmentReading): Config {
  const gateway = values.LLM_BASE_URL || values.LLM_API_KEY;
  const localModel = gateway ? null : readLocalModel(resolve(values.DATA_DIR));
  const env = withLocalModel(values, localModel);
  const publicHost = env.PUBLIC_URL ? new URL(env.PUBLIC_URL).hostname : null;
  const sandbox =
    env.SANDBOX !== false && isLoopbackHost(env.HOST) && (!publicHost || isLoopbackHost(publicHost));
  const problems = rules(env, sandbox, publicHost);
  if (problems.length > 0) throw new ConfigurationError(problems);
  const dataDir = resolve(env.DATA_DIR);
  const port = env.PORT ?? 3000;
  const { AUTH_SECRET, SANDBOX: _, PORT, ...rest } = env;
  return {
    ...rest,
    port,
    portFixed: PORT !== undefined,
    dataDir,
    publicUrl: env.PUBLIC_URL ? env.PUBLIC_URL.replace(/\/+$/, '') : `http://localhost:${port}`,
    sandbox,
    secure: env.PUBLIC_URL?.startsWith('https://') ?? false,
    authSecret: AUTH_SECRET ?? storedSecret(dataDir, 'auth'),
    mailbox: null,
    localModel,
  };
}

/** Unset IMAGE_* default to the values for text. An API key is only sent to the host that it is for. */
export function imageGateway(config: Config): {
  baseUrl: string;
  apiKey: string;
  model: string;
  protocol: 'openrouter' | 'openai';
} {
  const textUrl = config.LLM_BASE_URL ?? '';
  const baseUrl = config.IMAGE_BASE_URL ?? textUrl;
  const host = URL.parse(baseUrl)?.host;
  const sameHost = host === URL.parse(textUrl)?.host;
  return {
    baseUrl,
    apiKey: config.IMAGE_API_KEY ?? (sameHost ? config.LLM_API_KEY : undefined) ?? '',
    model: config.IMAGE_MODEL,
    protocol: config.IMAGE_PROTOCOL ?? (host && /(^|\.)openrouter\.ai$/.test(host) ? 'openrouter' : 'openai'),
  };
}

/** Unset TRANSCRIPTION_* default to the values for text, the API key only on the same host. Null without a model. */
export function transcriptionGateway(
  config: Pick<
    Config,
    | 'TRANSCRIPTION_MODEL'
    | 'TRANSCRIPTION_BASE_URL'
    | 'TRANSCRIPTION_API_KEY'
    | 'LLM_BASE_URL'
    | 'LLM_API_KEY'
  >,
): { baseUrl: string; apiKey: string; model: string } | null {
  const { TRANSCRIPTION_MODEL: model, LLM_BASE_URL = '' } = config;
  if (!model) return null;
  const baseUrl = config.TRANSCRIPTION_BASE_URL ?? LLM_BASE_URL;
  const sameHost = URL.parse(baseUrl)?.host === URL.parse(LLM_BASE_URL)?.host;
  return {
    baseUrl,
    apiKey: config.TRANSCRIPTION_API_KEY ?? (sameHost ? config.LLM_API_KEY : undefined) ?? '',
    model,
  };
}

/** The separate search service; null if the gateway searches, or if there is no web search. */
export function searchService(
  config: Pick<Config, 'WEB_SEARCH' | 'WEB_SEARCH_URL' | 'WEB_SEARCH_KEY'>,
): { engine: 'searxng' | 'brave'; baseUrl: string; key: string } | null {
  const { WEB_SEARCH: engine, WEB_SEARCH_URL: address, WEB_SEARCH_KEY: key = '' } = config;
  if (!engine || engine === 'gateway') return null;
  const baseUrl = (address ?? (engine === 'brave' ? 'https://api.search.brave.com' : '')).replace(/\/+$/, '');
  return { engine, baseUrl, key };
}

let current: Config | undefined;

export function setConfig(config: Config): Config {
  current = config;
  return config;
}

export function config(): Config {
  if (!current) throw new Error('The configuration is read before it is set.');
  return current;
}
