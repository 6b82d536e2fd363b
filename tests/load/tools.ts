import { randomUUID } from 'node:crypto';
import { pdfWith } from '../support/pdf.ts';
import type { Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { quantile, round } from './process.ts';

interface Work {
  tool: string;
  path: string;
  body: unknown;
}

/** Runs one piece of work and reads all its events. @returns its milliseconds, and those of its model calls. */
async function runOnce({ database, url }: TestServer, person: Person, { path, body }: Work) {
  const startedAt = performance.now();
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      cookie: person.cookie,
      origin: url,
      accept: 'text/event-stream',
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const ms = performance.now() - startedAt;
  const id = /"generation":\{"id":"([^"]+)"/.exec(text)?.[1];
  if (!id || !text.includes('"state":"done"'))
    throw new Error(`${path}: ${response.status} ${text.slice(-300)}`);
  const { rows } = await database.query<{ ms: number }>(
    `select coalesce(sum(duration_ms), 0)::int as ms from gateway_calls where generation_id = $1`,
    [id],
  );
  return { ms, callsMs: rows[0]?.ms ?? 0 };
}

/**
 * Measures what the server adds to the gateway's time for a run of each tool: admission, moderation, its own work,
 * storing, and events until the end.
 */
export async function overheadByTool(server: TestServer, person: Person, times = 12) {
  const bytes = await pdfWith(['The lamp of the lighthouse was lit in 1871.', 'It burns for twelve hours.']);
  const uploaded = await fetch(`${server.url}/api/documents?name=lamp.pdf`, {
    method: 'POST',
    headers: { cookie: person.cookie, origin: server.url, accept: 'application/json' },
    body: new Uint8Array(bytes),
  });
  const { id: document } = (await uploaded.json()) as { id: string };
  const quick = '[[tps:0]] [[first:0]]';
  const works: Work[] = [
    { tool: 'writer, short', path: '/api/write', body: { prompt: `Bread ${quick}`, length: 'short' } },
    { tool: 'script', path: '/api/scripts', body: { scene: `A lamp goes out ${quick}`, style: 'drama' } },
    { tool: 'image, 512x512', path: '/api/images', body: { prompt: `a lamp ${quick}`, size: '512x512' } },
    { tool: 'pdf, 2 pages', path: `/api/documents/${document}/analysis`, body: {} },
    {
      tool: 'question to a pdf',
      path: `/api/documents/${document}/questions`,
      body: { question: `When was the lamp lit? ${quick}` },
    },
  ];
  const rows: object[] = [];
  for (const work of works) {
    const extra: number[] = [];
    const all: number[] = [];
    for (let index = 0; index < times + 2; index++) {
      const { ms, callsMs } = await runOnce(server, person, work);
      if (index < 2) continue;
      extra.push(ms - callsMs);
      all.push(ms);
    }
    rows.push({
      tool: work.tool,
      'whole run, median ms': round(quantile(all, 0.5)),
      'added by the server, median ms': round(quantile(extra, 0.5)),
      'p95 ms': round(quantile(extra, 0.95)),
    });
  }
  return rows;
}
