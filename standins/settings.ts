import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isLoopbackHost } from './http.ts';

export interface Settings {
  port: number;
  smtpPort: number;
  dir: string;
  tied: boolean;
  markers: boolean;
  siteUrl: string | null;
  webhookSecret: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

function portOf(name: string, value: string | undefined): number {
  const port = Number(value ?? '0');
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(`${name} must be a port number, not "${value}".`);
  return port;
}

/**
 * Returns why to refuse to start. Stand-ins answer everybody, so they only serve this machine and never run next to a
 * real shop.
 */
function refusal(env: Environment, host: string | undefined): string | null {
  const { HOST, STANDINS_PUBLIC_HOST, PUBLIC_URL, STANDINS_SITE_URL } = env;
  const isLocal = (url: URL | null) => url !== null && isLoopbackHost(url.host);
  for (const [name, value] of Object.entries({ '--host': host, HOST, STANDINS_PUBLIC_HOST }))
    if (value && !isLoopbackHost(value)) return `${name} is "${value}", and stand-ins serve loopback only.`;
  if (PUBLIC_URL && !isLocal(URL.parse(PUBLIC_URL)))
    return `PUBLIC_URL is "${PUBLIC_URL}", and stand-ins serve loopback only.`;
  const site = STANDINS_SITE_URL ? URL.parse(STANDINS_SITE_URL) : null;
  if (STANDINS_SITE_URL && (site?.protocol !== 'http:' || !isLocal(site)))
    return `STANDINS_SITE_URL is "${STANDINS_SITE_URL}", and webhooks go to loopback only.`;
  if (env.CREEM_API_KEY?.startsWith('creem_') && !env.CREEM_API_KEY.startsWith('creem_test_'))
    return 'CREEM_API_KEY is a live key, and stand-ins never run beside one.';
  return null;
}

export function readSettings(argv: string[], env: Environment): Settings {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: argv,
    options: { port: text, 'smtp-port': text, dir: text, host: text },
  });
  const reason = refusal(env, values.host ?? env.STANDINS_HOST);
  if (reason) throw new Error(reason);
  return {
    port: portOf('STANDINS_PORT', values.port ?? env.STANDINS_PORT),
    smtpPort: portOf('STANDINS_SMTP_PORT', values['smtp-port'] ?? env.STANDINS_SMTP_PORT),
    dir: resolve(values.dir ?? env.STANDINS_DIR ?? `${env.DATA_DIR ?? './data'}/standins`),
    tied: env.STANDINS_TIED === '1',
    markers: env.STANDINS_MARKERS === '1',
    siteUrl: env.STANDINS_SITE_URL ? new URL(env.STANDINS_SITE_URL).origin : null,
    webhookSecret: env.STANDINS_WEBHOOK_SECRET || null,
  };
}
