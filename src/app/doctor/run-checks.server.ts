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
import { checkAddress, checkSite } from './check-address.server.ts';
import { checkDatabase } from './check-database.server.ts';
import { checkGateway } from './check-gateway.server.ts';
import { checkNode, checkStorage } from './check-machine.server.ts';
import { checkMail } from './check-mail.server.ts';
import { checkNotifications } from './check-notifications.server.ts';
import { checkPayments } from './check-payments.server.ts';
import { checkPublicAddress } from './check-public-address.server.ts';
import { checkSignIn } from './check-sign-in.server.ts';
import { checkSpending } from './check-spending.server.ts';
import { checkTraces } from './check-traces.server.ts';
import { checkTranscription } from './check-transcription.server.ts';
import { checkWebSearch } from './check-web-search.server.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

interface CheckOptions {
  testMailTo: string | undefined;
  spend: boolean;
}

/** Allowed clock difference in seconds: signatures and tokens are valid for minutes. */
const MAX_SKEW = 30;

function checkClock(skews: Record<string, number | null>): Finding {
  const knownSkews = Object.entries(skews).filter((each): each is [string, number] => each[1] !== null);
  const skewed = knownSkews.find(([, skew]) => Math.abs(skew) > MAX_SKEW);
  if (skewed)
    return wrong(
      'Clock',
      `This machine's clock is ${Math.round(Math.abs(skewed[1]))} s ${skewed[1] > 0 ? 'behind' : 'ahead of'} ${skewed[0]}. Sync both with a time server (NTP), or sign-in and payments fail.`,
    );
  if (knownSkews.length === 0) return note('Clock', 'There was no other clock to compare with.');
  return ok('Clock', `Within ${MAX_SKEW} s of ${knownSkews.map(([name]) => name).join(' and ')}.`);
}

function outboundOrigins(config: Config): string[] {
  const pictures = imageGateway(config).baseUrl;
  const urls = [
    config.LLM_BASE_URL,
    pictures,
    config.TRANSCRIPTION_BASE_URL,
    searchService(config)?.baseUrl,
  ].filter((url): url is string => Boolean(url));
  return [...new Set([...urls.map((url) => new URL(url).origin), ...paymentOrigins()])];
}

async function checkServices(config: Config, { testMailTo, spend }: CheckOptions): Promise<Finding[]> {
  configureOutbound(outboundOrigins(config));
  const database = await checkDatabase(config);
  const [publicAddress, storage, gateway, transcription, webSearch, mail, payments, spending, traces] =
    await Promise.all([
      checkPublicAddress(config),
      checkStorage(config.dataDir),
      checkGateway(config, spend),
      checkTranscription(config, spend),
      checkWebSearch(config),
      checkMail(config, testMailTo),
      checkPayments(config),
      checkSpending(config),
      checkTraces(config),
    ]);
  configureOutbound([]);
  return [
    ...checkAddress(config),
    ...publicAddress,
    ...storage,
    ...database.findings,
    ...gateway.findings,
    ...transcription,
    ...webSearch,
    ...mail,
    checkNotifications(config),
    ...checkSignIn(config),
    ...payments,
    checkClock({ 'the database': database.skew, 'the gateway': gateway.skew }),
    ...checkSite(config),
    spending,
    traces,
  ];
}

const settingFinding = (problem: string) => {
  const [, name = 'Setting', text = problem] = /^([A-Z0-9_]+): (.*)$/s.exec(problem) ?? [];
  return wrong(name, text);
};

/** Runs all checks. Changes, sends and pays only what `options` allows. */
export async function runChecks(
  options: CheckOptions,
  source?: Record<string, string | undefined>,
): Promise<Finding[]> {
  try {
    const environment = readEnvironment(source);
    const config = setConfig(resolveConfig(environment));
    return [
      checkNode(),
      ...environment.warnings.map((warning) => wrong('Setting', warning)),
      ...(await checkServices(config, options)),
    ];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return [
      checkNode(),
      ...error.problems.map(settingFinding),
      note('Other checks', 'Skipped. Fix these settings first: the site does not start with them.'),
    ];
  }
}
