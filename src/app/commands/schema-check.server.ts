import { databasePool } from '#platform/database/database.server.ts';
import { migrationState, NewerSchemaError } from '#platform/database/migrate.server.ts';
import { StartError } from '../startup/start-error.server.ts';
import { runDataCommand, withData } from './data-command.server.ts';

/** For `npm run rollback`: checks whether the build with these migrations supports the database's current schema. */
await runDataCommand(async ([folder = '']) => {
  await withData('command', async () => {
    const client = await databasePool().connect();
    try {
      await migrationState(client, folder);
    } catch (error) {
      if (!(error instanceof NewerSchemaError)) throw error;
      const { schema, known } = error;
      throw new StartError(
        `The previous build supports schema ${known}, but the database is at schema ${schema}, which removed something the previous build uses. Restore an earlier backup to an empty database instead.`,
      );
    } finally {
      client.release();
    }
  });
});
