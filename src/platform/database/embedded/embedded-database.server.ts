import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { clusterExists, createCluster, resetPasswords } from './cluster.server.ts';
import { type DatabaseHome, openDatabaseHome } from './database-home.server.ts';
import { EmbeddedDatabaseError, explainOutput, explainSystemError } from './embedded-error.server.ts';
import { locateBinaries, type PostgresBinaries, runnableBinaries } from './postgres-binaries.server.ts';
import {
  findPostmaster,
  isOwnPostmaster,
  launch,
  type Postmaster,
  stopPostmaster,
  wasStoppedOnPurpose,
} from './postmaster.server.ts';
import { awaitSession, type Connection, connectionTo, isOnlyClient, urlOf } from './session.server.ts';
import { openSocketFolder, PORT } from './socket-folder.server.ts';
import { storedPassword } from './stored-password.server.ts';

export interface EmbeddedDatabase {
  url: string;
  connection: Connection;
  attached: boolean;
  dataFolder: string;
  pid(): number;
  /** Stops the server for all its users, in 10 s at most. */
  stop(): Promise<void>;
  stopIfUnused(): Promise<boolean>;
}

interface Site {
  home: DatabaseHome;
  program: PostgresBinaries;
  password: string;
  socketFolder: string;
  log: (line: string) => void;
  settings: Record<string, string>;
}

interface Session {
  client: pg.Client;
  postmaster: Postmaster;
  attached: boolean;
}

/** How long to retry a server that lost a race against another starter or against its own dying processes. */
const START_WAIT_MS = 20_000;
const REVIVE_MS = 5_000;

export async function startEmbeddedDatabase(options: {
  dataDir: string;
  log: (line: string) => void;
  settings?: Record<string, string>;
}): Promise<EmbeddedDatabase> {
  try {
    const { dataDir, log, settings = {} } = options;
    const found = await locateBinaries();
    const home = await openDatabaseHome({ dataDir, major: found.major, log });
    const password = await storedPassword(dataDir);
    const socketFolder = await openSocketFolder(home);
    const site: Site = { home, program: found, password, socketFolder, log, settings };
    const running = await findPostmaster(home);
    if (running === undefined) {
      site.program = await runnableBinaries(found, home);
      if (!clusterExists(home)) {
        log(`database: first start, making its files in ${home.cluster}`);
        await createCluster(home, site.program, password);
      }
    }
    return supervise(site, await openSession(site));
  } catch (error) {
    throw explainSystemError(error, options.dataDir);
  }
}

async function openSession(site: Site): Promise<Session> {
  const deadline = Date.now() + START_WAIT_MS;
  for (;;) {
    const running = await findPostmaster(site.home);
    const result = running === undefined ? await startServer(site) : await attach(site, running);
    if (typeof result === 'object') return result;
    if (Date.now() > deadline) {
      throw new EmbeddedDatabaseError(
        `PostgreSQL in ${site.home.cluster} did not start. See postgres.log there.`,
      );
    }
  }
}

async function attach(site: Site, postmaster: Postmaster): Promise<Session | 'again'> {
  const connection = connectionTo(postmaster.socketFolder, site.password);
  const isUp = () => isOwnPostmaster(postmaster.pid, site.home);
  const outcome = await awaitSession({ connection, isUp, log: site.log });
  if (outcome.kind === 'connected') return { client: outcome.client, postmaster, attached: true };
  if (outcome.kind === 'gone') return 'again';
  site.log(`database: the running server (process ${postmaster.pid}) does not let us in, so it is restarted`);
  await stopPostmaster(postmaster.pid, site.home);
  if (outcome.kind === 'wrong-password') await renewPassword(site);
  return 'again';
}

async function renewPassword(site: Site): Promise<void> {
  site.program = await runnableBinaries(site.program, site.home);
  await resetPasswords(site.home, site.program, site.password);
}

async function startServer(site: Site): Promise<Session | 'again'> {
  site.program = await runnableBinaries(site.program, site.home);
  const started = await launch(site.home, site.program, site.socketFolder, site.settings);
  const connection = connectionTo(site.socketFolder, site.password);
  const isUp = async () => !started.hasExited();
  const outcome = await awaitSession({ connection, isUp, log: site.log });
  if (outcome.kind === 'connected') {
    // Another starter may have won; its server answers on the same socket.
    const postmaster = (await findPostmaster(site.home)) ?? started.postmaster;
    return { client: outcome.client, postmaster, attached: postmaster.pid !== started.postmaster.pid };
  }
  if (outcome.kind === 'gone') {
    const output = await started.readOutput();
    if (/\.lock" already exists/.test(output)) {
      // We hold the data's lock, so the socket's lock belongs to a dead server whose process nobody has reaped yet.
      await rm(join(site.socketFolder, `.s.PGSQL.${PORT}.lock`), { force: true });
      return 'again';
    }
    const isTemporary = /postmaster\.pid" already exists|is empty|still in use|terminated by signal/.test(
      output,
    );
    if (!isTemporary) throw explainOutput('did not start', output, site.home.folder);
    return 'again';
  }
  await stopPostmaster(started.postmaster.pid, site.home);
  if (outcome.kind === 'wrong-password') await renewPassword(site);
  return 'again';
}

function supervise(site: Site, first: Session): EmbeddedDatabase {
  const connection = connectionTo(first.postmaster.socketFolder, site.password);
  const supervisor = keepAlive({ ...site, socketFolder: connection.host }, first);
  return {
    url: urlOf(connection),
    connection,
    attached: first.attached,
    dataFolder: site.home.cluster,
    pid: () => supervisor.current().postmaster.pid,
    async stop() {
      const { client, postmaster } = await supervisor.close();
      // Not awaited: a hung server would never close its side; the signals below end it.
      void client.end().catch(() => undefined);
      await stopPostmaster(postmaster.pid, site.home);
    },
    async stopIfUnused() {
      const { client, postmaster } = await supervisor.close();
      const isUnused = await isOnlyClient(client).catch(() => false);
      if (isUnused) await stopPostmaster(postmaster.pid, site.home);
      await client.end().catch(() => undefined);
      return isUnused;
    },
  };
}

function keepAlive(site: Site, first: Session) {
  let session = first;
  let closed = false;
  let reviving: Promise<void> | undefined;

  const watch = () => {
    // Unreferenced, so that a command that ends without closing the database does not hang on this connection.
    (session.client as pg.Client & { unref(): void }).unref();
    session.client.once('end', () => {
      if (!closed) reviving = revive();
    });
  };

  const revive = async () => {
    if (await wasStoppedOnPurpose(session.postmaster.pid, site.home)) {
      return site.log('database: ended by another process');
    }
    site.log('database: the server was cut off, starting it again');
    while (!closed) {
      try {
        if (!clusterExists(site.home)) throw new Error('its files are gone');
        session = await openSession(site);
        if (!closed) watch();
        return;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        site.log(`database: could not be started again, trying on: ${reason}`);
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
      // Referenced again, so that a command does not exit in the middle of its last statements.
      (session.client as pg.Client & { ref(): void }).ref();
      return session;
    },
  };
}
