import process from 'node:process';
import { BackupError } from '#platform/backup/archive-format.server.ts';
import { config, resolveConfig, setConfig } from '#platform/config/config.server.ts';
import { ConfigurationError, readEnvironment } from '#platform/config/read-environment.server.ts';
import { EmbeddedDatabaseError } from '#platform/database/embedded/embedded-error.server.ts';
import { isDatabaseUnavailable } from '#platform/http/error-mapper.server.ts';
import { log } from '#platform/log.server.ts';
import { type Data, openData, openDataDir } from '../startup/open-database.server.ts';
import { reportCommandError } from './run-command.server.ts';

/** Converts errors that the operator can fix to errors of which only the message is printed. */
function toCommandError(error: unknown): unknown {
  const { cause = error, code } = error as { cause?: unknown; code?: string };
  // Errors of flydrive and of the AWS SDK.
  if (String(code).startsWith('E_CANNOT_') || (cause instanceof Error && '$metadata' in cause))
    return new BackupError(
      `The file storage returned an error: ${(cause as Error).message || (cause as Error).name}`,
    );
  if (isDatabaseUnavailable(error))
    return new BackupError(`Can't reach the database: ${(error as Error).message}`);
  const isPlain = error instanceof ConfigurationError || error instanceof EmbeddedDatabaseError;
  return isPlain ? new BackupError(error.message) : error;
}

/** Runs a command that works with any schema version of the database. */
export async function runDataCommand(command: (args: string[]) => Promise<void>): Promise<void> {
  log.level = 'error';
  process.umask(0o077);
  const run = async () => {
    try {
      setConfig(resolveConfig(readEnvironment()));
      await command(process.argv.slice(2));
    } catch (error) {
      throw toCommandError(error);
    }
  };
  await reportCommandError(run(), BackupError);
}

/** Opens the database for the work. With `server`, no other server may use an embedded database meanwhile. */
export async function withData<T>(role: 'server' | 'command', work: (data: Data) => Promise<T>): Promise<T> {
  await openDataDir(config().dataDir);
  const data = await openData(config(), role);
  try {
    return await work(data);
  } finally {
    await data.stop();
  }
}
