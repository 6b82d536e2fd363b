/**
 * The stand-ins: local servers that speak the real wire protocols of the outside services, in one process on
 * loopback. They import nothing from src/, so that they are a second reading of each protocol. What each one
 * cannot do is said at the head of its routes.ts.
 *
 * Run: node standins/main.ts. Settings: settings.ts. When all is ready one line of JSON goes to stdout:
 * {"ready":true,"http":PORT,"smtp":PORT}. Ends on SIGTERM, SIGINT, and with STANDINS_TIED=1 when stdin closes.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Control } from './control.ts';
import { creemStandIn } from './creem/routes.ts';
import { gatewayStandIn } from './gateway/routes.ts';
import { HeldCalls } from './held-calls.ts';
import { HttpError, Router } from './http.ts';
import { identityStandIn } from './identity/routes.ts';
import { makeFolder } from './json-file.ts';
import { mailStandIn } from './mail/routes.ts';
import { indexPage, sendPage } from './page.ts';
import { pushStandIn } from './push/routes.ts';
import { RequestLog } from './request-log.ts';
import { searchStandIn } from './search/routes.ts';
import { readSettings, type Settings } from './settings.ts';
import type { StandIn } from './standin.ts';

const STAND_INS = [gatewayStandIn, creemStandIn, identityStandIn, mailStandIn, pushStandIn, searchStandIn];

async function listen(router: Router, port: number) {
  const server = createServer((req, res) => router.handle(req, res));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', backlog: 4096 }, resolve);
  });
  return server;
}

async function start(settings: Settings): Promise<void> {
  makeFolder(settings.dir);
  const router = new Router();
  const control = new Control(settings.dir);
  const log = new RequestLog(settings.dir);
  const held = new HeldCalls();
  const parts = { settings, router, control, log, held };
  const standIns: StandIn[] = [];
  for (const make of STAND_INS) standIns.push(await make(parts));
  router.on('GET', '/', ({ res }) => sendPage(res, indexPage(standIns)));
  log.mount(router);
  control.mount(router);
  control.action('release', (value) => {
    if (value !== true && typeof value !== 'string')
      throw new HttpError(400, 'bad_switch', 'release must be true or a text of the held call.');
    return { released: held.release(value), waiting: held.size };
  });
  const server = await listen(router, settings.port);

  let ending = false;
  const end = async () => {
    if (ending) return;
    ending = true;
    server.close();
    server.closeAllConnections();
    await Promise.all(standIns.map((standIn) => standIn.close?.()));
    log.flush();
    process.exit(0);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  if (settings.tied) process.stdin.on('end', end).on('close', end).on('error', end).resume();
  const more = Object.assign({}, ...standIns.map((standIn) => standIn.ready ?? {}));
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ ready: true, http: port, ...more })}\n`);
}

try {
  await start(readSettings(process.argv.slice(2), process.env));
} catch (error) {
  process.stderr.write(`stand-ins: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
