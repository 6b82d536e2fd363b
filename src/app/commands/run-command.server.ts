import process from 'node:process';
import { paymentOrigins } from '#features/billing/service.server.ts';
import { resolveConfig, setConfig } from '#platform/config/config.server.ts';
import { readEnvironment } from '#platform/config/read-environment.server.ts';
import { log } from '#platform/log.server.ts';
import { configureOutbound } from '#platform/outbound/outbound.server.ts';
import { openData, prepareData } from '../startup/open-database.server.ts';
import { runningInstance } from '../startup/single-instance.server.ts';
import { StartError } from '../startup/start-error.server.ts';
import { configurePayments } from '../startup/start-standins.server.ts';

/** Runs a command with the environment's payment provider, or else with the running server's stand-in. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  log.level = 'error';
  process.umask(0o077);
  const config = setConfig(resolveConfig(readEnvironment()));
  const running = runningInstance(config.dataDir);
  if (config.sandbox && running) {
    config.publicUrl = running.url;
    if (running.standins) configurePayments(config, running.standins);
  }
  configureOutbound(paymentOrigins());
  const data = await openData(config, 'command');
  try {
    await prepareData(config, data, 'command');
    await work();
  } finally {
    await data.stop();
  }
}

/** `CommandError` is the error class of the command's feature; only its message is printed, for the operator. */
export async function reportCommandError(
  command: Promise<void>,
  CommandError: new (...args: never[]) => Error = StartError,
): Promise<void> {
  try {
    await command;
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const isUsageError = String(code).startsWith('ERR_PARSE_ARGS');
    if (!(error instanceof StartError || error instanceof CommandError || isUsageError)) throw error;
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  }
}
