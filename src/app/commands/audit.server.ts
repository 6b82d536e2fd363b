import process from 'node:process';
import { resolveConfig, setConfig } from '#platform/config/config.server.ts';
import { readEnvironment } from '#platform/config/read-environment.server.ts';
import { database } from '#platform/database/database.server.ts';
import { log } from '#platform/log.server.ts';
import { audit } from '../operator/audit.server.ts';
import { openData, prepareData } from '../startup/open-database.server.ts';
import { reportCommandError } from './run-command.server.ts';

async function main(): Promise<void> {
  log.level = 'error';
  const config = setConfig(resolveConfig(readEnvironment()));
  const data = await openData(config, 'command');
  try {
    await prepareData(config, data, 'command');
    const findings = await audit(database());
    const violated = findings.filter((finding) => finding.violations.length > 0);
    process.stdout.write(
      `${JSON.stringify({ ok: violated.length === 0, checked: findings.length, violated, invariants: findings.map(({ id, says }) => ({ id, says })) }, null, 2)}\n`,
    );
    process.exitCode = violated.length > 0 ? 1 : 0;
  } finally {
    await data.stop();
  }
}

await reportCommandError(main());
