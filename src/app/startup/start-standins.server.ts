import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Config } from '#platform/config/config.server.ts';
import { projectRoot } from '#platform/config/project-root.server.ts';
import { compileCache } from '#platform/config/read-environment.server.ts';
import { log } from '#platform/log.server.ts';

export interface Standins {
  url: string;
  names: string[];
  stop(): Promise<void>;
}

/** Whether web search is on without an address or a key. */
const isSearchMissing = ({ WEB_SEARCH, WEB_SEARCH_URL, WEB_SEARCH_KEY }: Config) =>
  (WEB_SEARCH === 'searxng' || WEB_SEARCH === 'brave') && !WEB_SEARCH_URL && !WEB_SEARCH_KEY;

/** Whether dictation has no gateway: the local model cannot transcribe. */
const isTranscriptionMissing = ({ localModel, TRANSCRIPTION_MODEL, TRANSCRIPTION_BASE_URL }: Config) =>
  localModel !== null && TRANSCRIPTION_MODEL !== undefined && TRANSCRIPTION_BASE_URL === undefined;

export function missingServices(config: Config): string[] {
  return [
    ...(config.LLM_BASE_URL ? [] : ['model gateway']),
    ...(config.localModel && !config.IMAGE_BASE_URL ? ['images'] : []),
    ...(isTranscriptionMissing(config) ? ['transcription'] : []),
    ...(isSearchMissing(config) ? ['web search'] : []),
    ...(config.CREEM_API_KEY ? [] : ['payments and prompt moderation']),
    ...(config.SMTP_URL ? [] : ['email']),
    ...(config.GOOGLE_CLIENT_ID ? [] : ['Google sign-in']),
    ...(config.GITHUB_CLIENT_ID ? [] : ['GitHub sign-in']),
  ];
}

/** Products and signing secret of the payment provider's stand-in, shared by both sides; worthless elsewhere. */
const standInPayments = {
  CREEM_API_KEY: 'creem_test_stand-in',
  CREEM_WEBHOOK_SECRET: 'whsec_c3RhbmQtaW4tb2YtdGhlLXBheW1lbnQtcHJvdmlkZXI=',
  CREEM_PRODUCT_MONTHLY: 'prod_monthly',
  CREEM_PRODUCT_QUARTERLY: 'prod_quarterly',
  CREEM_PRODUCT_YEARLY: 'prod_yearly',
  CREEM_PACKS: [
    { productId: 'prod_credits_100', credits: 100 },
    { productId: 'prod_credits_500', credits: 500 },
  ],
} satisfies Partial<Config>;

export function configurePayments(config: Config, url: string): void {
  if (!config.CREEM_API_KEY)
    Object.assign(config, standInPayments, { CREEM_BASE_URL: `${url}/creem` } satisfies Partial<Config>);
}

/** Returns the variables that `standins/settings.ts` reads. */
const settingsFor = (config: Config, port: number) => ({
  STANDINS_PORT: String(port),
  STANDINS_SMTP_PORT: '0',
  STANDINS_DIR: join(config.dataDir, 'standins'),
  STANDINS_TIED: '1',
  STANDINS_MARKERS: config.STANDINS_MARKERS ? '1' : '',
  STANDINS_SITE_URL: `http://127.0.0.1:${config.port}`,
  STANDINS_WEBHOOK_SECRET: standInPayments.CREEM_WEBHOOK_SECRET,
});

interface Started {
  http: number;
  smtp: number;
  stop(): Promise<void>;
}

async function readyLine(stream: Readable): Promise<Pick<Started, 'http' | 'smtp'> | null> {
  for await (const line of createInterface({ input: stream }))
    if (line.startsWith('{')) return JSON.parse(line) as Pick<Started, 'http' | 'smtp'>;
  return null;
}

async function spawnOn(config: Config, port: number): Promise<Started | null> {
  const child = spawn(process.execPath, [join(projectRoot, 'standins/main.ts')], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    // The stand-ins are TypeScript: without the cache, each start would strip the types again.
    env: { NODE_COMPILE_CACHE: compileCache(), ...settingsFor(config, port) },
  });
  child.stderr.on('data', (bytes: Buffer) =>
    log.warn({ standins: bytes.toString().trim() }, 'output of the stand-ins'),
  );
  const ready = await readyLine(child.stdout);
  child.stdout.resume();
  if (!ready) return null;
  const stop = () =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill('SIGTERM');
    });
  return { ...ready, stop };
}

/** Lets a starter process run the stand-ins. They stop when the connection closes, and so with this process. */
async function requestFromStarter(config: Config, starter: number, port: number): Promise<Started | null> {
  const connection = connect({ port: starter, host: '127.0.0.1' });
  connection.write(`${JSON.stringify(settingsFor(config, port))}\n`);
  const ready = await readyLine(connection);
  if (!ready) return null;
  const closed = new Promise<void>((resolve) => connection.once('close', () => resolve()));
  // If the starter dies, the connection breaks; that must stop only the stand-ins, not this server.
  connection.on('error', () => undefined).resume();
  const stop = () => {
    connection.end();
    return closed;
  };
  return { ...ready, stop };
}

function startOn(config: Config, port: number): Promise<Started | null> {
  const { STANDINS_STARTER: starter } = config;
  return starter ? requestFromStarter(config, starter, port) : spawnOn(config, port);
}

function configureProviders(config: Config, url: string): void {
  if (!config.GOOGLE_CLIENT_ID)
    Object.assign(config, {
      GOOGLE_CLIENT_ID: 'stand-in',
      GOOGLE_CLIENT_SECRET: 'stand-in',
      GOOGLE_ISSUER: `${url}/google`,
      GOOGLE_AUTHORIZE_URL: `${url}/google/authorize`,
      GOOGLE_TOKEN_URL: `${url}/google/token`,
      GOOGLE_JWKS_URL: `${url}/google/jwks`,
    } satisfies Partial<Config>);
  if (!config.GITHUB_CLIENT_ID)
    Object.assign(config, {
      GITHUB_CLIENT_ID: 'stand-in',
      GITHUB_CLIENT_SECRET: 'stand-in',
      GITHUB_AUTHORIZE_URL: `${url}/github/login/oauth/authorize`,
      GITHUB_TOKEN_URL: `${url}/github/login/oauth/access_token`,
      GITHUB_API_URL: `${url}/github/api`,
    } satisfies Partial<Config>);
}

/**
 * Starts the stand-ins. The product uses them like the real services; only addresses and keys differ. If STANDINS_PORT
 * is unset and `port` is in use, any free port is used.
 */
export async function startStandins(config: Config, port: number): Promise<Standins> {
  const started =
    (await startOn(config, config.STANDINS_PORT ?? port)) ??
    (config.STANDINS_PORT ? null : await startOn(config, 0));
  if (!started) throw new Error('The stand-ins did not start. Is STANDINS_PORT already in use?');
  const { http, smtp, stop } = started;
  const names = missingServices(config);
  const url = `http://127.0.0.1:${http}`;
  if (!config.LLM_BASE_URL) {
    config.LLM_BASE_URL = `${url}/gateway/v1`;
    config.LLM_API_KEY = 'stand-in';
    if (!config.IMAGE_BASE_URL) config.IMAGE_PROTOCOL ??= 'openrouter';
  }
  if (config.localModel && !config.IMAGE_BASE_URL) {
    config.IMAGE_BASE_URL = `${url}/gateway/v1`;
    config.IMAGE_API_KEY = 'stand-in';
    config.IMAGE_PROTOCOL = 'openrouter';
  }
  if (isTranscriptionMissing(config)) {
    config.TRANSCRIPTION_BASE_URL = `${url}/gateway/v1`;
    config.TRANSCRIPTION_API_KEY = 'stand-in';
  }
  if (isSearchMissing(config)) {
    config.WEB_SEARCH_URL = `${url}/${config.WEB_SEARCH}`;
    config.WEB_SEARCH_KEY = 'stand-in';
  }
  configurePayments(config, url);
  if (!config.SMTP_URL) {
    config.SMTP_URL = `smtp://127.0.0.1:${smtp}`;
    config.mailbox = `${url}/mail`;
  }
  configureProviders(config, url);
  config.PUSH_SERVICES = [...config.PUSH_SERVICES, url];
  return { url, names, stop };
}
