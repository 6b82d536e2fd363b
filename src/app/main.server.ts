import type { Server } from 'node:http';
import process from 'node:process';
import { providerOrigins } from '../features/accounts/oauth/service.server.ts';
import { applyLeft } from '../features/billing/inbox/service.server.ts';
import { onSale, paymentOrigins } from '../features/billing/provider/service.server.ts';
import { replyTool } from '../features/chat/reply/service.server.ts';
import { titleTool } from '../features/chat/title/service.server.ts';
import { registerTool } from '../features/generations/engine/service.server.ts';
import { liveRuns } from '../features/generations/live/service.server.ts';
import { startEngine, stopEngine } from '../features/generations/service.server.ts';
import { imageTool } from '../features/image/drawing/service.server.ts';
import { analysisTool } from '../features/pdf/analysis/service.server.ts';
import { questionTool } from '../features/pdf/question/service.server.ts';
import { publishCurated } from '../features/prompts/curated/service.server.ts';
import { scriptTool } from '../features/script/service.server.ts';
import { writerTool } from '../features/writer/service.server.ts';
import { type Config, pictureGateway, setConfig, settleConfig } from '../platform/config/config.server.ts';
import { ConfigurationError, readEnvironment } from '../platform/config/env.server.ts';
import { endedByDatabase, warmDatabase } from '../platform/database/database.server.ts';
import { EmbeddedDatabaseError } from '../platform/database/embedded/failure.server.ts';
import { startJobs, stopJobs } from '../platform/jobs/jobs.server.ts';
import { log } from '../platform/log/log.server.ts';
import { closeMail } from '../platform/mail/mail.server.ts';
import { configureOutbound } from '../platform/outbound/outbound.server.ts';
import { followClock, stopFollowingClock } from './clock.server.ts';
import { type Data, openData, openDataDir, prepareData, StartError, whenReachable } from './data.server.ts';
import { createSiteServer, readiness } from './http.server.ts';
import { announceInstance, runningInstance, withdrawInstance } from './instance.server.ts';
import { registerJobs } from './jobs.server.ts';
import { listen } from './listen.server.ts';
import { openQuestions } from './open-questions.server.ts';
import { joinOthers } from './processes.server.ts';
import { serveRelease } from './release.server.ts';
import { missingServices, type Standins, startStandins } from './standins.server.ts';

/** Sealing, storing and ending the parts, once replies have had their time. */
const END_MS = 9_500;

/** Aborted by a second signal: running replies get no more time. */
const hurry = new AbortController();

const say = (line: string) => process.stdout.write(`${line}\n`);

interface Running {
  /** Promises, so that an end in the middle of the start finds what is under way. */
  data?: Promise<Data>;
  standins?: Promise<Standins>;
}

const running: Running = {};

async function main(): Promise<void> {
  // Whatever this process and those that it starts write is for this account alone.
  process.umask(0o077);
  const reading = readEnvironment();
  const config = setConfig(settleConfig(reading));
  log.level = config.LOG_LEVEL ?? (config.sandbox ? 'warn' : 'info');
  for (const warning of reading.warnings) say(warning);

  const other = config.DATABASE_URL ? null : runningInstance(config.dataDir);
  if (other) {
    say(`Runs already at ${other.url} (process ${other.pid}).`);
    return;
  }

  await openDataDir(config.dataDir);
  serveRelease();
  const server = createSiteServer();
  endOnSignals(config, () => shutDown(config, server));
  const asked = config.port;
  const port = await listen(server, { port: asked, host: config.HOST, fixed: config.portFixed });
  if (port !== asked && !config.PUBLIC_URL) config.publicUrl = `http://localhost:${port}`;
  config.port = port;

  const missing = missingServices(config);
  running.data = openData(config, 'server');
  if (config.sandbox && missing.length > 0) {
    running.standins = startStandins(config, asked === 0 ? 0 : port + 1);
  }
  const [data, standins] = await Promise.all([running.data, running.standins]);
  configureOutbound([
    new URL(config.LLM_BASE_URL ?? '').origin,
    new URL(pictureGateway(config).baseUrl).origin,
    ...paymentOrigins(),
    ...providerOrigins(),
    ...(standins ? [new URL(standins.url).origin] : []),
  ]);

  registerTool(replyTool);
  registerTool(titleTool);
  registerTool(imageTool);
  registerTool(analysisTool);
  registerTool(questionTool);
  registerTool(writerTool);
  registerTool(scriptTool);
  await prepareData(config);
  if (!data.embedded) await joinOthers(config);
  await whenReachable(publishCurated);
  if (standins) await followClock(standins.url);
  await startEngine(data.connection, data.embedded);
  readiness.ready = true;
  announceInstance(config.dataDir, config.publicUrl, standins?.url);
  greet(config, standins);
  await warmDatabase();
  registerJobs();
  await whenReachable(startJobs);
  await whenReachable(() => applyLeft(0));
}

function greet(config: Config, standins: Standins | undefined): void {
  say(`The site runs at ${config.publicUrl}`);
  if (!config.sandbox) {
    for (const line of openQuestions()) say(line);
    if (onSale().length === 0)
      say('Nothing is for sale: Pro needs CREEM_API_KEY, CREEM_WEBHOOK_SECRET and the CREEM_PRODUCT_ ids.');
  }
  if (!standins) return;
  say(`Stand-ins answer for: ${standins.names.join(', ')}. Mailbox: ${standins.url}/mail`);
  say('Keys for real services go into the environment; see README.md.');
}

/** Set once; from then on the errors of a start that is cut off are its consequences. */
let ending = false;

function endOnSignals(config: Config, shutDown: () => Promise<void>): void {
  const limit = (ms: number) => setTimeout(() => process.exit(1), ms).unref();
  const end = (signal: string) => {
    if (ending) {
      if (hurry.signal.aborted) return;
      hurry.abort();
      limit(END_MS);
      return;
    }
    ending = true;
    log.info({ signal }, 'ending');
    limit(config.DRAIN_SECONDS * 1_000 + END_MS);
    shutDown().then(
      () => process.exit(0),
      (error) => {
        log.error({ error }, 'the end was not clean');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  process.on('uncaughtException', (error) => {
    // The job queue takes its listeners off a connection before it is closed; what that one still says harms nothing.
    if (endedByDatabase(error)) log.warn({ error }, 'a database connection broke that nobody used');
    else log.error({ error }, 'uncaught exception');
  });
  process.on('unhandledRejection', (error) => log.error({ error }, 'unhandled rejection'));
}

/** Ends the database and the stand-ins, as far as they have been started. */
async function stopParts({ data, standins }: Pick<Running, 'data' | 'standins'>): Promise<void> {
  await (await data?.catch(() => undefined))?.stop();
  await (await standins?.catch(() => undefined))?.stop();
}

async function shutDown(config: Config, server: Server): Promise<void> {
  if (readiness.ready) {
    // New requests are answered with 503 while running replies may still finish before their readers.
    readiness.ready = false;
    readiness.draining = true;
    const running = liveRuns.size;
    if (running > 0 && config.DRAIN_SECONDS > 0)
      say(
        `Waiting up to ${config.DRAIN_SECONDS} s for running replies (${running}). A second Ctrl+C ends them at once.`,
      );
    await Promise.all([stopJobs(), stopEngine(config.DRAIN_SECONDS * 1_000, hurry.signal)]);
    closeMail();
    withdrawInstance(config.dataDir);
  }
  stopFollowingClock();
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 500).unref())]);
  server.closeAllConnections();
  await stopParts(running);
}

main().catch(async (error: unknown) => {
  if (ending) return;
  if (error instanceof ConfigurationError)
    for (const problem of error.problems) process.stderr.write(`${problem}\n`);
  else if (error instanceof StartError || error instanceof EmbeddedDatabaseError)
    process.stderr.write(`${error.message}\n`);
  else if ((error as { code?: string }).code === 'EADDRINUSE')
    process.stderr.write(`The port is taken: ${(error as Error).message}\n`);
  else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  // What was started must not stay behind; a database that does not end in time is taken over by the next start.
  setTimeout(() => process.exit(1), 5_000).unref();
  await stopParts(running);
  process.exit(1);
});
