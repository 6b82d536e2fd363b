import { paymentOrigins } from '#features/billing/service.server.ts';
import {
  type Config,
  imageGateway,
  resolveConfig,
  searchService,
  setConfig,
} from '#platform/config/config.server.ts';
import { ConfigurationError, readEnvironment } from '#platform/config/read-environment.server.ts';
import { configureOutbound } from '#platform/outbound/outbound.server.ts';
import { address, site } from './check-address.server.ts';
import { databaseFindings } from './check-database.server.ts';
import { gateway } from './check-gateway.server.ts';
import { node, storage } from './check-machine.server.ts';
import { mail } from './check-mail.server.ts';
import { notifications } from './check-notifications.server.ts';
import { payments } from './check-payments.server.ts';
import { publicAddress } from './check-public-address.server.ts';
import { signIn } from './check-sign-in.server.ts';
import { spending } from './check-spending.server.ts';
import { traces } from './check-traces.server.ts';
import { transcription } from './check-transcription.server.ts';
import { webSearch } from './check-web-search.server.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

interface CheckOptions {
  testMailTo: string | undefined;
  spend: boolean;
}

/** Allowed clock difference in seconds: signatures and tokens are valid for minutes. */
const MAX_SKEW = 30;

function clock(skews: Record<string, number | null>): Finding {
  const known = Object.entries(skews).filter((each): each is [string, number] => each[1] !== null);
  const off = known.find(([, skew]) => Math.abs(skew) > MAX_SKEW);
  if (off)
    return wrong(
      'Clock',
      `This machine's clock is ${Math.round(Math.abs(off[1]))} s ${off[1] > 0 ? 'behind' : 'ahead of'} ${off[0]}. Sync both with a time server (NTP), or sign-in and payments fail.`,
    );
  if (known.length === 0) return note('Clock', 'There was no other clock to compare with.');
  return ok('Clock', `Within ${MAX_SKEW} s of ${known.map(([name]) => name).join(' and ')}.`);
}

function origins(config: Config): string[] {
  const pictures = imageGateway(config).baseUrl;
  const urls = [
    config.LLM_BASE_URL,
    pictures,
    config.TRANSCRIPTION_BASE_URL,
    searchService(config)?.baseUrl,
  ].filter((url): url is string => Boolean(url));
  return [...new Set([...urls.map((url) => new URL(url).origin), ...paymentOrigins()])];
}

async function surroundings(config: Config, { testMailTo, spend }: CheckOptions): Promise<Finding[]> {
  configureOutbound(origins(config));
  const database = await databaseFindings(config);
  const [seen, stored, models, transcribed, searched, mails, paid, spent, traced] = await Promise.all([
    publicAddress(config),
    storage(config.dataDir),
    gateway(config, spend),
    transcription(config, spend),
    webSearch(config),
    mail(config, testMailTo),
    payments(config),
    spending(config),
    traces(config),
  ]);
  configureOutbound([]);
  return [
    ...address(config),
    ...seen,
    ...stored,
    ...database.findings,
    ...models.findings,
    ...transcribed,
    ...searched,
    ...mails,
    notifications(config),
    ...signIn(config),
    ...paid,
    clock({ 'the database': database.skew, 'the gateway': models.skew }),
    ...site(config),
    spent,
    traced,
  ];
}

const setting = (problem: string) => {
  const [, name = 'Setting', text = problem] = /^([A-Z0-9_]+): (.*)$/s.exec(problem) ?? [];
  return wrong(name, text);
};

/** Runs all checks. Changes, sends and pays only what `options` allows. */
export async function runChecks(
  options: CheckOptions,
  source?: Record<string, string | undefined>,
): Promise<Finding[]> {
  try {
    const reading = readEnvironment(source);
    const config = setConfig(resolveConfig(reading));
    return [
      node(),
      ...reading.warnings.map((warning) => wrong('Setting', warning)),
      ...(await surroundings(config, options)),
    ];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return [
      node(),
      ...error.problems.map(setting),
      note('Other checks', 'Skipped. Fix these settings first: the site does not start with them.'),
    ];
  }
}
