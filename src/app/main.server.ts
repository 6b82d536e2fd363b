import type { Server } from 'node:http';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { onAccountDeleted } from '#features/accounts/privacy.server.ts';
import { providerOrigins } from '#features/accounts/service.server.ts';
import { applyPendingEvents, onSale, paymentOrigins, readPacks } from '#features/billing/service.server.ts';
import { announceWaiting } from '#features/devices/service.server.ts';
import { liveRuns, registerTool, startEngine, stopEngine } from '#features/generations/service.server.ts';
import { publishCurated } from '#features/prompts/service.server.ts';
import {
  type Config,
  imageGateway,
  resolveConfig,
  searchService,
  setConfig,
} from '#platform/config/config.server.ts';
import { ConfigurationError, readEnvironment } from '#platform/config/read-environment.server.ts';
import { isTerminatedByDatabase, warmDatabase } from '#platform/database/database.server.ts';
import { EmbeddedDatabaseError } from '#platform/database/embedded/embedded-error.server.ts';
import {
  startMergingIndexEntries,
  stopMergingIndexEntries,
} from '#platform/database/index-entries.server.ts';
import { startListening, stopListening } from '#platform/database/notifications.server.ts';
import { startJobs, stopJobs, stopWorkers } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { closeMail } from '#platform/mail/send-mail.server.ts';
import { configureOutbound } from '#platform/outbound/outbound.server.ts';
import { followSettings, stopFollowingSettings } from '#platform/settings/live-settings.server.ts';
import { startTracing } from '#platform/tracing/start-tracing.server.ts';
import { stopTracing } from '#platform/tracing/tracing.server.ts';
import { features } from './features.ts';
import { siteVersion } from './health-and-metrics.server.ts';
import { createSiteServer, readiness } from './http.server.ts';
import { registerJobs } from './register-jobs.server.ts';
import { stopClockSync, syncClock } from './startup/clock-sync.server.ts';
import { configWarnings } from './startup/config-warnings.server.ts';
import { modelServerHint } from './startup/find-model-server.server.ts';
import { listen } from './startup/listen.server.ts';
import {
  type Data,
  openData,
  openDataDir,
  prepareData,
  whenReachable,
} from './startup/open-database.server.ts';
import { checkPeerSettings } from './startup/peer-settings.server.ts';
import { serveRelease } from './startup/serve-release.server.ts';
import { announceInstance, runningInstance, withdrawInstance } from './startup/single-instance.server.ts';
import { StartError } from './startup/start-error.server.ts';
import { type LocalModelProcess, startLocalModel } from './startup/start-local-model.server.ts';
import { missingServices, type Standins, startStandins } from './startup/start-standins.server.ts';

/** Time to close runs, store their text and stop all parts after the drain period. */
const SHUTDOWN_MS = 9_500;

/** Limit for reading the prices of packs at a start, because the provider may not answer. */
const PRICES_MS = 2_000;

const forceStop = new AbortController();

const print = (line: string) => process.stdout.write(`${line}\n`);

interface Running {
  /** Promises, so that a shutdown during the start can wait for parts that are still starting. */
  data?: Promise<Data>;
  standins?: Promise<Standins>;
  model?: Promise<LocalModelProcess>;
}

const running: Running = {};

async function main(): Promise<void> {
  // Files of this process and its children are readable only by this account.
  process.umask(0o077);
  const environment = readEnvironment();
  const config = setConfig(resolveConfig(environment));
  log.level = config.LOG_LEVEL ?? (config.sandbox ? 'warn' : 'info');
  for (const warning of environment.warnings) print(warning);

  const other = config.DATABASE_URL ? null : runningInstance(config.dataDir);
  if (other) {
    print(`Already running at ${other.url} (process ${other.pid}).`);
    return;
  }

  await openDataDir(config.dataDir);
  serveRelease();
  await startTracing(config, siteVersion);
  const server = createSiteServer();
  endOnSignals(config, () => shutDown(config, server));
  const requestedPort = config.port;
  const port = await listen(server, { port: requestedPort, host: config.HOST, fixed: config.portFixed });
  if (port !== requestedPort && !config.PUBLIC_URL) config.publicUrl = `http://localhost:${port}`;
  config.port = port;

  const missing = missingServices(config);
  running.data = openData(config, 'server');
  if (config.sandbox && missing.length > 0) {
    running.standins = startStandins(config, requestedPort === 0 ? 0 : port + 1);
  }
  if (config.localModel) running.model = startLocalModel(config, config.localModel);
  const [data, standins] = await Promise.all([running.data, running.standins, running.model]);
  configureOutbound([
    new URL(config.LLM_BASE_URL ?? '').origin,
    new URL(imageGateway(config).baseUrl).origin,
    ...(config.TRANSCRIPTION_BASE_URL ? [new URL(config.TRANSCRIPTION_BASE_URL).origin] : []),
    ...[searchService(config)].flatMap((service) => (service ? [new URL(service.baseUrl).origin] : [])),
    ...paymentOrigins(),
    ...providerOrigins(),
    ...config.PUSH_SERVICES,
    ...(standins ? [new URL(standins.url).origin] : []),
  ]);

  for (const { tools = [], onAccountDeleted: hook } of features) {
    for (const tool of tools) registerTool(tool);
    if (hook) onAccountDeleted(hook);
  }
  await prepareData(config, data, 'server');
  if (!data.embedded) await checkPeerSettings(config);
  await whenReachable(publishCurated);
  if (standins) await syncClock(standins.url);
  followSettings();
  await Promise.race([readPacks(), pause(PRICES_MS)]);
  // Before the engine, so that people are also notified about runs that it finds interrupted.
  registerJobs();
  await startEngine(data.embedded);
  await startListening(data.connection);
  readiness.ready = true;
  announceInstance(config.dataDir, config.publicUrl, standins?.url);
  printGreeting(config, standins);
  await warmDatabase();
  startMergingIndexEntries();
  await whenReachable(() => startJobs(config.JOBS));
  await whenReachable(() => applyPendingEvents(0));
}

function printGreeting(config: Config, standins: Standins | undefined): void {
  print(`The site is running at ${config.publicUrl}`);
  if (config.localModel)
    print(`Using ${config.localModel.name} on this machine. To remove it: npm run model -- --remove`);
  if (!config.JOBS)
    print('This process runs no background jobs (JOBS=false). Another process must run them.');
  if (!config.sandbox) {
    for (const line of configWarnings()) print(line);
    if (onSale().length === 0)
      print(
        'Nothing is for sale. To sell Pro, set CREEM_API_KEY, CREEM_WEBHOOK_SECRET and the CREEM_PRODUCT_ IDs.',
      );
  }
  if (!standins) return;
  print(`Using local stand-ins for: ${standins.names.join(', ')}. Mailbox: ${standins.url}/mail`);
  print('To use real services, add their keys to .env; see README.md.');
  // Not awaited: the start does not depend on it.
  if (standins.names.includes('model gateway'))
    void modelServerHint().then((line) => {
      if (line && !ending) print(line);
    });
}

/** Set at the first signal; later errors of an interrupted start are only its consequences. */
let ending = false;

function endOnSignals(config: Config, shutDown: () => Promise<void>): void {
  const limit = (ms: number) => setTimeout(() => process.exit(1), ms).unref();
  const end = (signal: string) => {
    if (ending) {
      if (forceStop.signal.aborted) return;
      forceStop.abort();
      limit(SHUTDOWN_MS);
      return;
    }
    ending = true;
    log.info({ signal }, 'ending');
    limit(config.DRAIN_SECONDS * 1_000 + SHUTDOWN_MS);
    shutDown().then(
      () => process.exit(0),
      (error) => {
        log.error({ error }, 'the site did not shut down cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  process.on('uncaughtException', (error) => {
    // The job queue removes its listeners from a connection before closing it; a late error of it is harmless.
    if (isTerminatedByDatabase(error)) log.warn({ error }, 'an unused database connection was lost');
    else log.error({ error }, 'uncaught exception');
  });
  process.on('unhandledRejection', (error) => log.error({ error }, 'unhandled rejection'));
}

async function stopParts({ data, standins, model }: Running): Promise<void> {
  await (await data?.catch(() => undefined))?.stop();
  await (await model?.catch(() => undefined))?.stop();
  await (await standins?.catch(() => undefined))?.stop();
}

async function shutDown(config: Config, server: Server): Promise<void> {
  if (readiness.ready) {
    // New requests get a 503, while running replies can still finish and be read.
    readiness.ready = false;
    readiness.draining = true;
    const running = liveRuns.size;
    if (running > 0 && config.DRAIN_SECONDS > 0)
      print(
        `Waiting up to ${config.DRAIN_SECONDS} s for running replies (${running}). Press Ctrl+C again to end them now.`,
      );
    await Promise.all([stopWorkers(), stopEngine(config.DRAIN_SECONDS * 1_000, forceStop.signal)]);
    await announceWaiting();
    // The workers have already stopped or timed out; supervisors allow 10 s in addition to DRAIN_SECONDS.
    await stopJobs(1_000);
    closeMail();
    withdrawInstance(config.dataDir);
  }
  stopFollowingSettings();
  stopMergingIndexEntries();
  await stopListening();
  stopClockSync();
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 500).unref())]);
  server.closeAllConnections();
  await Promise.all([stopTracing(), stopParts(running)]);
}

main().catch(async (error: unknown) => {
  if (ending) return;
  if (error instanceof ConfigurationError)
    for (const problem of error.problems) process.stderr.write(`${problem}\n`);
  else if (error instanceof StartError || error instanceof EmbeddedDatabaseError)
    process.stderr.write(`${error.message}\n`);
  else if ((error as { code?: string }).code === 'EADDRINUSE')
    process.stderr.write(`The port is already in use: ${(error as Error).message}\n`);
  else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  // Stops the parts that did start; if the database does not stop in time, the next start takes it over.
  setTimeout(() => process.exit(1), 5_000).unref();
  await stopParts(running);
  process.exit(1);
});
