import type { Config } from '#platform/config/config.server.ts';
import { configWarnings } from '../startup/config-warnings.server.ts';
import { runningInstance } from '../startup/single-instance.server.ts';
import { type Finding, note, notSet, ok, wrong } from './finding.ts';

export function address(config: Config): Finding[] {
  if (config.sandbox)
    return [
      notSet(
        'Address',
        'Only this machine reaches the site, and local stand-ins answer for what is not set. For a public site set PUBLIC_URL (https), AUTH_SECRET, SMTP_URL, MAIL_FROM and LLM_BASE_URL, and HOST where the proxy is on another machine.',
      ),
    ];
  return [
    ok('Address', `${config.publicUrl}, links in mails begin with it.`),
    note(
      'Address',
      'Whether it is reached from outside cannot be seen from here: open it on a telephone that is not in this network.',
    ),
    trustedProxies(config),
  ];
}

/** Prefixes of what nobody's proxies fill: a private network is 10.0.0.0/8, a provider's at most a /12 or so. */
const WIDEST = { ipv4: 8, ipv6: 16 };

function trustedProxies({ TRUSTED_PROXIES }: Config): Finding {
  const wide = TRUSTED_PROXIES.split(',')
    .map((entry) => entry.trim())
    .find((entry) => {
      const [base = '', prefix] = entry.split('/');
      return prefix !== undefined && Number(prefix) < (base.includes(':') ? WIDEST.ipv6 : WIDEST.ipv4);
    });
  if (wide)
    return wrong(
      'Proxy',
      `TRUSTED_PROXIES trusts ${wide}, so anybody writes the address that limits count by: name the address of the proxy alone.`,
    );
  return TRUSTED_PROXIES
    ? ok('Proxy', 'X-Forwarded-For of TRUSTED_PROXIES counts.')
    : notSet(
        'Proxy',
        'TRUSTED_PROXIES is empty: behind the proxy that speaks https, all visitors share one address and one set of limits. Set it to the address of the proxy.',
      );
}

export function site(config: Config): Finding[] {
  const running = runningInstance(config.dataDir);
  return [
    running
      ? ok('Server', `It runs at ${running.url} (process ${running.pid}).`)
      : note('Server', 'No server runs on this DATA_DIR; npm start starts it.'),
    config.METRICS_TOKEN
      ? ok('Metrics', '/metrics answers to METRICS_TOKEN.')
      : notSet(
          'Metrics',
          config.sandbox && !config.PUBLIC_URL
            ? '/metrics answers on this machine alone; METRICS_TOKEN opens it to a collector.'
            : '/metrics answers nobody; METRICS_TOKEN (32 random characters) opens it to a collector.',
        ),
    ...configWarnings().map((line) => notSet('Site', line)),
  ];
}
