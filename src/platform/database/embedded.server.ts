import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { clusterExists, createCluster, resetPasswords } from './embedded/cluster.server.ts';
import { EmbeddedDatabaseError, explainOutput, explainSystemError } from './embedded/failure.server.ts';
import { type Home, openHome } from './embedded/home.server.ts';
import { storedPassword } from './embedded/password.server.ts';
import {
  endedOnPurpose,
  endPostmaster,
  findPostmaster,
  isOurs,
  launch,
  type Postmaster,
} from './embedded/postmaster.server.ts';
import { locateProgram, type Program, runnableProgram } from './embedded/program.server.ts';
import { awaitSession, type Connection, connectionTo, isAlone, urlOf } from './embedded/session.server.ts';
import { openSocketFolder, PORT } from './embedded/socket.server.ts';

/** The running embedded PostgreSQL of one DATA_DIR. */
export interface EmbeddedDatabase {
  /** postgres:// URL, with the folder of the socket as its encoded host. */
  url: string;
  /** The same for `pg`. */
  connection: Connection;
  /** True when the server ran already: another command's, or left by a process that was killed. */
  attached: boolean;
  /** PGDATA. */
  dataFolder: string;
  /** Process id of the server. */
  pid(): number;
  /** Ends the server for everyone: what the product's own process does last. At most 10 s. */
  stop(): Promise<void>;
  /** Lets go of the server, and ends it if nobody else uses it: what commands do. True when it was ended. */
  stopIfUnused(): Promise<boolean>;
}

interface Site {
  home: Home;
  program: Program;
  password: string;
  socketFolder: string;
  log: (line: string) => void;
}

interface Session {
  client: pg.Client;
  postmaster: Postmaster;
  attached: boolean;
}

/** A server that loses a race against another starter, or against its own dying processes, is tried again. */
const START_WAIT_MS = 20_000;
/** Between two tries to bring a server back that was cut off, such as while the disk is full. */
const REVIVE_MS = 5_000;

/**
 * Starts the embedded PostgreSQL of DATA_DIR, or attaches to the one that runs, and makes its data on the
 * first start. If its process dies later while this one lives, it is started again at the same address.
 * Throws EmbeddedDatabaseError, whose message is one line for the operator.
 */
export async function startEmbeddedDatabase(options: {
  dataDir: string;
  log: (line: string) => void;
}): Promise<EmbeddedDatabase> {
  try {
    const { dataDir, log } = options;
    const found = await locateProgram();
    const home = await openHome({ dataDir, major: found.major, log });
    const password = await storedPassword(dataDir);
    const socketFolder = await openSocketFolder(home);
    const site: Site = { home, program: found, password, socketFolder, log };
    const running = await findPostmaster(home);
    if (running === undefined) {
      site.program = await runnableProgram(found, home);
      if (!(await clusterExists(home))) {
        log(`database: first start, making its files in ${home.cluster}`);
        await createCluster(home, site.program, password);
      }
    }
    return supervise(site, await bringUp(site));
  } catch (error) {
    throw explainSystemError(error, options.dataDir);
  }
}

async function bringUp(site: Site): Promise<Session> {
  const deadline = Date.now() + START_WAIT_MS;
  for (;;) {
    const running = await findPostmaster(site.home);
    const step = running === undefined ? await startAnew(site) : await attach(site, running);
    if (typeof step === 'object') return step;
    if (Date.now() > deadline) {
      throw new EmbeddedDatabaseError(
        `PostgreSQL in ${site.home.cluster} did not come up: see postgres.log there.`,
      );
    }
  }
}

async function attach(site: Site, postmaster: Postmaster): Promise<Session | 'again'> {
  const connection = connectionTo(postmaster.socketFolder, site.password);
  const isUp = () => isOurs(postmaster.pid, site.home);
  const outcome = await awaitSession({ connection, isUp, log: site.log });
  if (outcome.kind === 'connected') return { client: outcome.client, postmaster, attached: true };
  if (outcome.kind === 'gone') return 'again';
  site.log(`database: the running server (process ${postmaster.pid}) does not let us in, so it is restarted`);
  await endPostmaster(postmaster.pid, site.home);
  if (outcome.kind === 'wrong-password') await renewPassword(site);
  return 'again';
}

async function renewPassword(site: Site): Promise<void> {
  site.program = await runnableProgram(site.program, site.home);
  await resetPasswords(site.home, site.program, site.password);
}

async function startAnew(site: Site): Promise<Session | 'again'> {
  site.program = await runnableProgram(site.program, site.home);
  const started = await launch(site.home, site.program, site.socketFolder);
  const connection = connectionTo(site.socketFolder, site.password);
  const isUp = async () => !started.hasExited();
  const outcome = await awaitSession({ connection, isUp, log: site.log });
  if (outcome.kind === 'connected') {
    // Another starter may have won, and its server answers on the same socket.
    const postmaster = (await findPostmaster(site.home)) ?? started.postmaster;
    return { client: outcome.client, postmaster, attached: postmaster.pid !== started.postmaster.pid };
  }
  if (outcome.kind === 'gone') {
    const output = await started.printed();
    if (/\.lock" already exists/.test(output)) {
      // It held the lock of the data, so the socket is a dead server's, whose process nobody has reaped yet.
      await rm(join(site.socketFolder, `.s.PGSQL.${PORT}.lock`), { force: true });
      return 'again';
    }
    const passing = /postmaster\.pid" already exists|is empty|still in use|terminated by signal/.test(output);
    if (!passing) throw explainOutput('did not start', output, site.home.folder);
    return 'again';
  }
  await endPostmaster(started.postmaster.pid, site.home);
  if (outcome.kind === 'wrong-password') await renewPassword(site);
  return 'again';
}

function supervise(site: Site, first: Session): EmbeddedDatabase {
  const connection = connectionTo(first.postmaster.socketFolder, site.password);
  const keeper = keepAlive({ ...site, socketFolder: connection.host }, first);
  return {
    url: urlOf(connection),
    connection,
    attached: first.attached,
    dataFolder: site.home.cluster,
    pid: () => keeper.current().postmaster.pid,
    async stop() {
      const { client, postmaster } = await keeper.close();
      // Not awaited: a hung server would never close its side, and the signals below deal with it.
      void client.end().catch(() => undefined);
      await endPostmaster(postmaster.pid, site.home);
    },
    async stopIfUnused() {
      const { client, postmaster } = await keeper.close();
      const alone = await isAlone(client).catch(() => false);
      if (alone) await endPostmaster(postmaster.pid, site.home);
      await client.end().catch(() => undefined);
      return alone;
    },
  };
}

/** Watches the session and brings the server up again when it is cut off. `close` ends the watch. */
function keepAlive(site: Site, first: Session) {
  let session = first;
  let closed = false;
  let reviving: Promise<void> | undefined;

  const watch = () => {
    // Unreferenced: a command that ends without letting go must not hang on this connection.
    (session.client as pg.Client & { unref(): void }).unref();
    session.client.once('end', () => {
      if (!closed) reviving = revive();
    });
  };

  const revive = async () => {
    if (await endedOnPurpose(session.postmaster.pid, site.home)) {
      return site.log('database: ended by another process');
    }
    site.log('database: the server was cut off, starting it again');
    while (!closed) {
      try {
        if (!(await clusterExists(site.home))) throw new Error('its files are gone');
        session = await bringUp(site);
        if (!closed) watch();
        return;
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        site.log(`database: could not be started again, trying on: ${why}`);
        await new Promise((resolve) => setTimeout(resolve, REVIVE_MS).unref());
      }
    }
  };

  watch();
  return {
    current: () => session,
    async close() {
      closed = true;
      await reviving;
      // The last words with the server must keep a command alive, or it ends in the middle of them.
      (session.client as pg.Client & { ref(): void }).ref();
      return session;
    },
  };
}
