/** What the stand-ins read from argv and the environment, and when they refuse to start. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isLoopbackHost } from './http.ts';

export interface Settings {
  /** HTTP port, 0 = a free one. */
  port: number;
  /** SMTP port, 0 = a free one. */
  smtpPort: number;
  /** State folder, absolute. */
  dir: string;
  /** End when stdin closes. */
  tied: boolean;
  /** Obey [[markers]] in the last user message from the start. */
  markers: boolean;
  /** Origin of the site that webhooks go to; null: they go nowhere. */
  siteUrl: string | null;
  /** Secret that webhooks are signed with; null: they go nowhere. */
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
 * Stand-ins answer anybody who reaches them, so they must be reachable from this machine only, and never
 * run beside a real shop. Returns the reason to refuse, or null.
 */
function refusal(env: Environment, host: string | undefined): string | null {
  const hosts = { '--host': host, HOST: env.HOST, STANDINS_PUBLIC_HOST: env.STANDINS_PUBLIC_HOST };
  for (const [name, value] of Object.entries(hosts)) {
    if (value && !isLoopbackHost(value)) return `${name} is "${value}", and stand-ins serve loopback only.`;
  }
  if (env.PUBLIC_URL) {
    const url = URL.parse(env.PUBLIC_URL);
    if (!url || !isLoopbackHost(url.host))
      return `PUBLIC_URL is "${env.PUBLIC_URL}", and stand-ins serve loopback only.`;
  }
  if (env.STANDINS_SITE_URL) {
    const url = URL.parse(env.STANDINS_SITE_URL);
    if (url?.protocol !== 'http:' || !isLoopbackHost(url.host))
      return `STANDINS_SITE_URL is "${env.STANDINS_SITE_URL}", and webhooks go to loopback only.`;
  }
  if (env.CREEM_API_KEY?.startsWith('creem_') && !env.CREEM_API_KEY.startsWith('creem_test_'))
    return 'CREEM_API_KEY is a live key, and stand-ins never run beside one.';
  return null;
}

/**
 * Reads --port, --smtp-port, --dir, --host or STANDINS_PORT, STANDINS_SMTP_PORT, STANDINS_DIR, STANDINS_HOST,
 * STANDINS_PUBLIC_HOST, STANDINS_TIED, STANDINS_MARKERS, STANDINS_SITE_URL, STANDINS_WEBHOOK_SECRET. Throws an Error with one plain line when a value is
 * wrong or when serving would not be safe.
 */
export function readSettings(argv: string[], env: Environment): Settings {
  const { values } = parseArgs({
    args: argv,
    options: {
      port: { type: 'string' },
      'smtp-port': { type: 'string' },
      dir: { type: 'string' },
      host: { type: 'string' },
    },
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
