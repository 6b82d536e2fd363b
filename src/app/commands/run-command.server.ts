import process from 'node:process';
import { paymentOrigins } from '#features/billing/service.server.ts';
import { resolveConfig, setConfig } from '#platform/config/config.server.ts';
import { readEnvironment } from '#platform/config/read-environment.server.ts';
import { log } from '#platform/log.server.ts';
import { configureOutbound } from '#platform/outbound/outbound.server.ts';
import { openData, prepareData, StartError } from '../startup/open-database.server.ts';
import { runningInstance } from '../startup/single-instance.server.ts';
import { pointPayments } from '../startup/start-standins.server.ts';

/** The payment provider is that of the environment, else the running server's stand-in. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  log.level = 'error';
  process.umask(0o077);
  const config = setConfig(resolveConfig(readEnvironment()));
  const running = runningInstance(config.dataDir);
  if (config.sandbox && running) {
    config.publicUrl = running.url;
    if (running.standins) pointPayments(config, running.standins);
  }
  configureOutbound(paymentOrigins());
  const data = await openData(config, 'command');
  try {
    await prepareData(config, 'command');
    await work();
  } finally {
    await data.stop();
  }
}

export async function reportCommandError(
  command: Promise<void>,
  isPlain: (error: unknown) => boolean = () => false,
): Promise<void> {
  try {
    await command;
  } catch (error) {
    if (!(error instanceof StartError) && !isPlain(error)) throw error;
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
