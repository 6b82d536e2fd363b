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
import type { Settings } from './settings.ts';
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

export interface StartedStandIns {
  /** The line that the process writes when everything is ready. */
  ready: { ready: true; http: number; smtp: number };
  /** Stops the stand-ins; resolves when their logs are on disk. */
  end(): Promise<void>;
}

/** @throws Error when a port is taken. */
export async function startStandIns(settings: Settings): Promise<StartedStandIns> {
  makeFolder(settings.dir);
  const router = new Router();
  const control = new Control(settings.dir);
  const log = new RequestLog(settings.dir);
  const held = new HeldCalls();
  const parts = { settings, router, control, log, held };
  const standIns: StandIn[] = [];
  for (const start of STAND_INS) standIns.push(await start(parts));
  router.on('GET', '/', ({ res }) => sendPage(res, indexPage(standIns)));
  log.mount(router);
  control.mount(router);
  control.action('release', (value) => {
    if (value !== true && typeof value !== 'string')
      throw new HttpError(400, 'bad_switch', 'release must be true or a text of the held call.');
    return { released: held.release(value), waiting: held.size };
  });
  const server = await listen(router, settings.port);

  const readyDetails = Object.assign({}, ...standIns.map((standIn) => standIn.ready ?? {}));
  const { port } = server.address() as AddressInfo;
  return {
    ready: { ready: true, http: port, ...readyDetails },
    async end() {
      server.close();
      server.closeAllConnections();
      await Promise.all(standIns.map((standIn) => standIn.close?.()));
      log.flush();
    },
  };
}
