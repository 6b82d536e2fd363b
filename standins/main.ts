/**
 * The stand-ins: local servers that speak the real wire protocols of the outside services, in one process on
 * loopback. They import nothing from src/, so that they are a second reading of each protocol. What each one
 * cannot do is said at the head of its routes.ts.
 *
 * Run: node standins/main.ts. Settings: settings.ts. When all is ready one line of JSON goes to stdout:
 * {"ready":true,"http":PORT,"smtp":PORT}. Ends on SIGTERM, SIGINT, and with STANDINS_TIED=1 when stdin closes.
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
