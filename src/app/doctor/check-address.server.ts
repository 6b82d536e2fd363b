import type { Config } from '#platform/config/config.server.ts';
import { configWarnings } from '../startup/config-warnings.server.ts';
import { runningInstance } from '../startup/single-instance.server.ts';
import { type Finding, note, notSet, ok, wrong } from './finding.ts';

export function checkAddress(config: Config): Finding[] {
  if (config.sandbox)
    return [
      notSet(
        'Address',
        'The site is reachable only from this machine, and local stand-ins cover services that are not set. To go public, set PUBLIC_URL (https), AUTH_SECRET, SMTP_URL, MAIL_FROM and LLM_BASE_URL, and HOST if the proxy runs on another machine.',
      ),
    ];
  return [
    ok('Address', `${config.publicUrl}. Links in emails start with it.`),
    note(
      'Address',
      "This check can't tell whether the site is reachable from outside. Open it on a phone that is not on this network.",
    ),
    trustedProxies(config),
  ];
}

/** Shortest plausible prefixes for proxies: a private network is 10.0.0.0/8, a provider's at most about a /12. */
const MIN_PREFIX = { ipv4: 8, ipv6: 16 };

function trustedProxies({ TRUSTED_PROXIES }: Config): Finding {
  const tooWide = TRUSTED_PROXIES.split(',')
    .map((entry) => entry.trim())
    .find((entry) => {
      const [base = '', prefix] = entry.split('/');
      return (
        prefix !== undefined && Number(prefix) < (base.includes(':') ? MIN_PREFIX.ipv6 : MIN_PREFIX.ipv4)
      );
    });
  if (tooWide)
    return wrong(
      'Proxy',
      `TRUSTED_PROXIES trusts ${tooWide}, so anyone can fake the address that limits count by. Set it to the address of your proxy only.`,
    );
  return TRUSTED_PROXIES
    ? ok('Proxy', 'X-Forwarded-For is trusted from TRUSTED_PROXIES.')
    : notSet(
        'Proxy',
        'TRUSTED_PROXIES is empty. Behind an https proxy, all visitors share one address and one set of limits. Set it to the address of your proxy.',
      );
}

export function checkSite(config: Config): Finding[] {
  const running = runningInstance(config.dataDir);
  return [
    running
      ? ok('Server', `Running at ${running.url} (process ${running.pid}).`)
      : note('Server', 'No server is running on this DATA_DIR. Run npm start to start it.'),
    config.METRICS_TOKEN
      ? ok('Metrics', '/metrics accepts METRICS_TOKEN.')
      : notSet(
          'Metrics',
          config.sandbox && !config.PUBLIC_URL
            ? '/metrics is open only to this machine. Set METRICS_TOKEN to open it to a collector.'
            : '/metrics is closed. Set METRICS_TOKEN (32 random characters) to open it to a collector.',
        ),
    ...configWarnings().map((line) => notSet('Site', line)),
  ];
}
