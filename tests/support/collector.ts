import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { eventually } from './server.ts';

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
type KeyValue = { key: string; value: Value };

/** A span in OTLP's JSON format. */
interface ExportedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  status: { code?: number; message?: string };
  attributes: KeyValue[];
  events: unknown[];
}

export interface Span extends Pick<ExportedSpan, 'name' | 'traceId' | 'spanId' | 'parentSpanId' | 'kind'> {
  failed: boolean;
  attributes: Record<string, unknown>;
}

interface Batch {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Collector {
  url: string;
  /** All requests received, whatever the response. */
  readonly batches: Batch[];
  /** Sets the response from now on: accept batches, refuse them with a status, or never respond. */
  answers(how: 'takes' | 'hangs' | number): void;
  spans(): Span[];
  /** Waits until `enough` accepts the spans of a trace, and returns them. */
  trace(traceId: string, enough: (spans: Span[]) => boolean): Promise<Span[]>;
  stop(): Promise<void>;
}

const plain = ({ stringValue, intValue, doubleValue, boolValue }: Value) =>
  stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue) : Number(intValue));

const attributesOf = (pairs: KeyValue[]) =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, plain(value)]));

interface Exported {
  resourceSpans?: Array<{
    resource: { attributes: KeyValue[] };
    scopeSpans: Array<{ spans: ExportedSpan[] }>;
  }>;
}

export function spansOf(body: Buffer): Span[] {
  const { resourceSpans = [] } = JSON.parse(body.toString()) as Exported;
  const exported = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  return exported.map(({ name, traceId, spanId, parentSpanId, kind, status, attributes }) => ({
    name,
    traceId,
    spanId,
    parentSpanId: parentSpanId || undefined,
    kind,
    failed: status.code === 2,
    attributes: attributesOf(attributes),
  }));
}

export function resourceOf(body: Buffer): Record<string, unknown> {
  const { resourceSpans = [] } = JSON.parse(body.toString()) as Exported;
  return attributesOf(resourceSpans[0]?.resource.attributes ?? []);
}

/** Starts an OpenTelemetry collector on loopback that understands OTLP over HTTP. */
export async function startCollector(): Promise<Collector> {
  const batches: Batch[] = [];
  const held: ServerResponse[] = [];
  let how: 'takes' | 'hangs' | number = 'takes';
  const answer = (response: ServerResponse) =>
    response.writeHead(how === 'takes' ? 200 : Number(how), { 'content-type': 'application/json' }).end('{}');
  const server = createServer(async (request, response) => {
    batches.push({ path: request.url ?? '', headers: request.headers, body: await buffer(request) });
    if (how === 'hangs') held.push(response);
    else answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const spans = () =>
    batches
      .filter(({ headers }) => headers['content-type'] === 'application/json')
      .flatMap(({ body }) => spansOf(body));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    batches,
    answers(next) {
      how = next;
      if (next !== 'hangs') for (const response of held.splice(0)) answer(response);
    },
    spans,
    trace: (traceId, enough) =>
      eventually(async () => {
        const own = spans().filter((span) => span.traceId === traceId);
        return enough(own) && own;
      }),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
