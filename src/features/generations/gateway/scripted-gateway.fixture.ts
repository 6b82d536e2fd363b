import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '#platform/outbound/loopback-server.fixture.ts';
import { configureOutbound } from '#platform/outbound/outbound.server.ts';
import type { ChatRequest, GatewayBounds, GatewayOutcome } from './gateway-types.ts';

export function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

export function chunk(text: string | null, finish: string | null = null): Record<string, unknown> {
  const choice = { index: 0, delta: text === null ? {} : { content: text }, finish_reason: finish };
  return {
    id: 'gen-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'maker/model',
    choices: [choice],
  };
}

export const DONE = 'data: [DONE]\n\n';
export const STOP: string = event(chunk(null, 'stop'));

export function usage(value: Record<string, unknown>): string {
  return event({ ...chunk(null), choices: [], usage: value });
}

export type Script = (response: ServerResponse) => void | Promise<void>;

export const streamHead = { 'content-type': 'text/event-stream' };

export function streams(...pieces: (string | Buffer)[]): Script {
  return async (response) => {
    response.writeHead(200, streamHead);
    for (const piece of pieces) await new Promise((resolve) => response.write(piece, resolve));
    response.end();
  };
}

export function answers(
  status: number,
  type: string,
  body: string,
  headers: Record<string, string> = {},
): Script {
  return (response) => void response.writeHead(status, { 'content-type': type, ...headers }).end(body);
}

export const hangs =
  (...pieces: string[]): Script =>
  (response) => {
    response.writeHead(200, streamHead);
    response.flushHeaders();
    for (const piece of pieces) response.write(piece);
  };

export function endless(piece: string, start = ''): { script: Script; closed: Promise<number> } {
  const { promise, resolve } = Promise.withResolvers<number>();
  let sent = 0;
  const script: Script = (response) => {
    const fill = () => {
      while (!response.destroyed) {
        sent += piece.length;
        if (!response.write(piece)) return;
      }
    };
    response.writeHead(200, streamHead);
    response.on('drain', fill).on('close', () => resolve(sent));
    response.write(start);
    fill();
  };
  return { script, closed: promise };
}

export const repeats =
  (start: string, piece: string): Script =>
  (response) => {
    response.writeHead(200, streamHead);
    response.write(start);
    const timer = setInterval(() => response.write(piece), 5);
    response.on('close', () => clearInterval(timer));
  };

export function closes(script: Script): { script: Script; closed: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const watched: Script = (response) => {
    response.on('close', resolve);
    return script(response);
  };
  return { script: watched, closed: promise };
}

export interface ReceivedCall {
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

interface ScriptedGateway extends LoopbackServer {
  readonly calls: ReceivedCall[];
  play(
    script: Script,
    overrides?: Partial<Omit<ChatRequest, 'bounds'>> & { bounds?: Partial<GatewayBounds> },
  ): ChatRequest;
}

const BOUNDS: GatewayBounds = {
  firstByteMs: 2_000,
  idleMs: 2_000,
  totalMs: 5_000,
  eventBytes: 64 * 1024,
  textBytes: 16 * 1024,
};

export async function startScriptedGateway(): Promise<ScriptedGateway> {
  const calls: ReceivedCall[] = [];
  let script: Script = answers(500, 'text/plain', 'no script');
  const server = await startLoopbackServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      calls.push({ headers: request.headers, body: JSON.parse(Buffer.concat(parts).toString('utf8')) });
      void script(response);
    });
  });
  const play: ScriptedGateway['play'] = (next, overrides = {}) => {
    script = next;
    return {
      baseUrl: `${server.origin}/api/v1`,
      apiKey: 'sk-or-secret',
      model: 'maker/model',
      messages: [{ role: 'user', content: 'Hello' }],
      requestId: 'request-1',
      signal: new AbortController().signal,
      ...overrides,
      bounds: { ...BOUNDS, ...overrides.bounds },
    };
  };
  return { ...server, calls, play };
}

/** Starts one gateway for all tests of a file; it is the only address that they can reach. */
export function scriptedGateway(): Pick<ScriptedGateway, 'origin' | 'calls' | 'play'> {
  let gateway: ScriptedGateway;
  beforeAll(async () => {
    gateway = await startScriptedGateway();
    configureOutbound([gateway.origin]);
  });
  afterAll(async () => {
    configureOutbound([]);
    await gateway.close();
  });
  return {
    get origin() {
      return gateway.origin;
    },
    get calls() {
      return gateway.calls;
    },
    play: (...played) => gateway.play(...played),
  };
}

export interface CollectedReply {
  text: string;
  pieces: string[];
  outcome: GatewayOutcome | null;
  error: unknown;
}

export async function collect(reply: AsyncGenerator<string, GatewayOutcome, void>): Promise<CollectedReply> {
  const pieces: string[] = [];
  const collected = (outcome: GatewayOutcome | null, error: unknown) => ({
    text: pieces.join(''),
    pieces,
    outcome,
    error,
  });
  try {
    for (;;) {
      const step = await reply.next();
      if (step.done) return collected(step.value, null);
      pieces.push(step.value);
    }
  } catch (error) {
    return collected(null, error);
  }
}
