/**
 * The stand-ins: local servers that speak the real wire protocols of the outside services, in one process on loopback.
 * They import nothing from src/, so that they are an independent reading of each protocol. Each routes.ts lists its
 * limits at the top.
 *
 * Run: node standins/main.ts. Settings: settings.ts. Writes one line of JSON to stdout when everything is ready:
 * {"ready":true,"http":PORT,"smtp":PORT}. Ends on SIGTERM and SIGINT, and with STANDINS_TIED=1 when stdin closes.
 */
import { readSettings } from './settings.ts';
import { startStandIns } from './start-standins.ts';

try {
  const settings = readSettings(process.argv.slice(2), process.env);
  const standIns = await startStandIns(settings);
  let ending = false;
  const end = async () => {
    if (ending) return;
    ending = true;
    await standIns.end();
    process.exit(0);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  if (settings.tied) process.stdin.on('end', end).on('close', end).on('error', end).resume();
  process.stdout.write(`${JSON.stringify(standIns.ready)}\n`);
} catch (error) {
  process.stderr.write(`stand-ins: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
