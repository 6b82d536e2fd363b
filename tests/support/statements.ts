import { databaseTarget, startProxy, type TcpProxy } from './proxy.ts';

/**
 * Statements of background work, which are not counted: leases, the log, the costs of open calls, and the sessions of
 * open streams and push subscriptions.
 */
const BACKGROUND =
  /engine_leases|setting_changes|stop_requested_at is not null|generation_chunks|shown_pieces|n\.estimated|push_subscriptions|pg_notify|s\.id = any/;
/** Pools of requests and runs; jobs use another. */
const POOLS = ['site', 'site-quick', 'site-costly'];

export interface StatementCount {
  proxy: TcpProxy;
  /** Returns the statements since the last call, in order, without those of background work. */
  drain(): string[];
}

/** Parses one connection's messages to PostgreSQL (protocol 3.0) from chunks of any size. */
function statementReader(found: (text: string) => void): (bytes: Buffer) => void {
  const texts = new Map<string, string>();
  let rest = Buffer.alloc(0);
  let started = false;
  let counted = false;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      // The startup message has no type byte.
      const head = started ? 1 : 0;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      const type = started ? String.fromCharCode(rest[0]!) : '';
      const parts = rest.toString('utf8', head + 4, end).split('\0');
      if (!started) counted = POOLS.includes(parts[parts.indexOf('application_name') + 1] ?? '');
      started = true;
      rest = rest.subarray(end);
      if (type === 'P') texts.set(parts[0] ?? '', parts[1] ?? '');
      if (counted && type === 'B') found(texts.get(parts[1] ?? '') ?? '');
      if (counted && type === 'Q') found(parts[0] ?? '');
    }
  };
}

/** Starts a proxy in front of a PostgreSQL that records the statements passing through. */
export async function countStatements(databaseUrl: string): Promise<StatementCount> {
  const statements: string[] = [];
  const found = (text: string) => {
    if (!BACKGROUND.test(text)) statements.push(text.replace(/\s+/g, ' ').trim().slice(0, 200));
  };
  const proxy = await startProxy(databaseTarget(databaseUrl), () => statementReader(found));
  return { proxy, drain: () => statements.splice(0) };
}
