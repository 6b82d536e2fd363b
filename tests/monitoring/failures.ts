import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from '../support/chat.ts';
import { deliver, eventBody, purchase, subscriptionEvent } from '../support/creem-events.ts';
import { control } from '../support/gateway.ts';
import { createPerson } from '../support/people.ts';
import { startProxy, type TcpProxy } from '../support/proxy.ts';
import type { ServerOptions, TestServer } from '../support/server.ts';
import { visitor } from '../support/visitor.ts';

/** Ends a failure, or the requests that reveal it. */
export type Stop = () => void;

export interface Failure {
  site: string;
  alert: string;
  options?(healthy: TestServer): Promise<Partial<ServerOptions>>;
  /** Causes the failure. @returns what ends it */
  start(server: TestServer): Promise<Stop | undefined>;
  /** Whether this machine can cause it; otherwise the case is skipped. */
  possible?: boolean;
}

/** Sends messages of three people without waiting for the replies. */
async function sendMessages(server: TestServer, text: string): Promise<undefined> {
  for (let count = 0; count < 3; count++) await send(await createPerson(server), text);
}

function repeat(ms: number, work: () => Promise<unknown>): Stop {
  const timer = setInterval(() => void work().catch(() => undefined), ms);
  return () => clearInterval(timer);
}

const databaseName = (server: TestServer) => server.databaseUrl.replace(/^.*\//, '');

let gateway: TcpProxy;

/** A separate disk, which only some machines let us mount. */
const disk = mkdtempSync(join(tmpdir(), 'site-disk-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1200m,mode=755', 'tmpfs', disk]).status === 0;

export function unmountDisk(): void {
  if (mounted) spawnSync('umount', [disk]);
}

export const failures: Failure[] = [
  {
    site: 'gateway-down',
    alert: 'GatewayFailing',
    async options({ standins }) {
      gateway = await startProxy({ host: '127.0.0.1', port: Number(new URL(standins).port) });
      return {
        env: {
          LLM_BASE_URL: `http://127.0.0.1:${gateway.port}/gateway/v1`,
          LLM_API_KEY: 'test',
          IMAGE_PROTOCOL: 'openrouter',
        },
      };
    },
    async start(server) {
      await gateway.down();
      return sendMessages(server, 'Is anybody there?');
    },
  },
  {
    site: 'gateway-slow',
    alert: 'GatewaySlow',
    start: (server) => sendMessages(server, 'Take your time [[first:25000]]'),
  },
  {
    site: 'gateway-refuses-key',
    alert: 'GatewayRefusesKey',
    start: (server) => sendMessages(server, 'Let me in [[mode:401]]'),
  },
  {
    site: 'database-pool-exhausted',
    alert: 'DatabasePoolExhausted',
    async start(server) {
      const person = await createPerson(server);
      const holder = await server.database.connect();
      await holder.query('begin');
      await holder.query('lock table users in access exclusive mode');
      const stopRequests = repeat(300, () => person.get('/api/me'));
      return () => {
        stopRequests();
        void holder.query('rollback').then(() => holder.release());
      };
    },
  },
  {
    site: 'database-not-writable',
    alert: 'DatabaseNotWritable',
    async start(server) {
      const name = databaseName(server);
      await server.database.query(`alter database ${name} set default_transaction_read_only = true`);
      await server.database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name like 'site%'`,
        [name],
      );
      return undefined;
    },
  },
  {
    site: 'mail-refused',
    alert: 'MailFailing',
    async start(server) {
      await control(server, { mail: { mode: 'reject' } });
      for (let count = 0; count < 3; count++) await visitor(server).ask(`p-${randomUUID()}@example.com`);
      return undefined;
    },
  },
  {
    site: 'webhooks-unmatched',
    alert: 'PaymentUnmatched',
    async start(server) {
      const bought = await purchase(server, await createPerson(server));
      await deliver(
        server,
        subscriptionEvent('paid', bought, { at: Date.now(), payment: 'tran_1', metadata: {} }),
      );
      return undefined;
    },
  },
  {
    site: 'webhooks-failing',
    alert: 'WebhooksFailing',
    async start(server) {
      await control(server, { creem: { api: 'status500' } });
      for (let count = 0; count < 3; count++)
        await deliver(
          server,
          eventBody('refund.created', { id: `ref_${count}`, transaction: `tran_${count}` }),
        );
      return undefined;
    },
  },
  {
    site: 'jobs-stuck',
    alert: 'JobQueueStuck',
    async start(server) {
      const holder = await server.database.connect();
      await holder.query('begin');
      // Reads still work; fetching a job waits.
      await holder.query('lock table jobs.job in exclusive mode');
      await holder.query(
        `insert into jobs.job (name, data, created_on, start_after)
         values ('send-sign-in-mail', '{}', now() - interval '20 minutes', now() - interval '20 minutes')`,
      );
      await holder.query('commit');
      await holder.query('begin');
      await holder.query('lock table jobs.job in exclusive mode');
      return () => void holder.query('rollback').then(() => holder.release());
    },
  },
  {
    site: 'backup-too-old',
    alert: 'BackupTooOld',
    options: async () => ({ env: { BACKUP_DIR: mkdtempSync(join(tmpdir(), 'site-backups-')) } }),
    async start(server) {
      const madeAt = new Date(Date.now() - 3 * 86_400_000);
      await server.database.query(`insert into instance_values (key, value) values ('last-backup', $1)`, [
        JSON.stringify({ address: '/backups/site.tar.zst', madeAt }),
      ]);
      return undefined;
    },
  },
  {
    site: 'disk-nearly-full',
    alert: 'DiskNearlyFull',
    possible: mounted,
    options: async () => ({ dataDir: disk }),
    async start() {
      writeFileSync(join(disk, 'large'), Buffer.alloc(400 * 1024 * 1024));
      return undefined;
    },
  },
  {
    site: 'event-loop-blocked',
    alert: 'EventLoopBlocked',
    async start(server) {
      let stopped = false;
      const pulse = setInterval(() => {
        stopped = !stopped;
        server.process.kill(stopped ? 'SIGSTOP' : 'SIGCONT');
      }, 700);
      return () => {
        clearInterval(pulse);
        server.process.kill('SIGCONT');
      };
    },
  },
  {
    site: 'process-down',
    alert: 'SiteDown',
    async start(server) {
      await server.kill();
      return undefined;
    },
  },
  {
    site: 'spend-cap-near',
    alert: 'SpendCapNear',
    options: async () => ({ env: { SPEND_CAP_DAY: '10' } }),
    async start(server) {
      const { body } = await send(await createPerson(server), 'Something dear');
      await server.database.query(
        `insert into gateway_calls (id, generation_id, purpose, model, outcome, cost_micros)
         values ($1, $2, 'test', 'test', 'stop', 9000000)`,
        [randomUUID(), body.generation.id],
      );
      return undefined;
    },
  },
  {
    site: 'requests-failing',
    alert: 'RequestsFailing',
    async start(server) {
      const person = await createPerson(server);
      await server.database.query('alter table chat_sessions rename to chat_sessions_gone');
      return repeat(500, () => person.get('/api/chats'));
    },
  },
];
