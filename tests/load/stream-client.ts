import http from 'node:http';

export interface StreamResult {
  /** HTTP status; 0 when there was no response. */
  status: number;
  /** Milliseconds from the request to the first text. */
  firstMs: number;
  /** Delay in milliseconds of each event against the pace since the first one. */
  delays: number[];
  text: string;
  complete: boolean;
  /** Id of the run, from its first event. */
  run: string;
  /** Id of the last event that has one. */
  lastId: string;
  /** How the run ended, once an event reported it. */
  end: { state: string; creditsCharged: number } | null;
  /** Characters that were shown before a `reset` and are missing after it. */
  takenBack: number;
}

export interface StreamRequest {
  url: string;
  headers: Record<string, string>;
  /** A message to send; without it, the events of a run are requested. */
  body?: string;
  /** The earlier result to continue. */
  before?: StreamResult;
  /** Called when the response arrives or fails. */
  onAnswered?: () => void;
  /** The gateway's tokens per second and the characters per token, to compute delays. */
  pace?: { tokensPerSecond: number; tokenLength: number };
}

const agent = new http.Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

const emptyResult: StreamResult = {
  status: 0,
  firstMs: Number.NaN,
  delays: [],
  text: '',
  complete: false,
  run: '',
  lastId: '',
  end: null,
  takenBack: 0,
};

function commonLength(a: string, b: string): number {
  let length = Math.min(a.length, b.length);
  while (!a.startsWith(b.slice(0, length))) length--;
  return length;
}

function applyEvent(
  result: StreamResult,
  block: string,
  startedAt: number,
  seen: { first: number; at: number },
  pace: StreamRequest['pace'],
): void {
  const now = performance.now();
  const data = /^data: (.*)$/m.exec(block)?.[1];
  if (!data) return;
  const event = /^event: (.*)$/m.exec(block)?.[1];
  result.lastId = /^id: (.*)$/m.exec(block)?.[1] ?? result.lastId;
  if (event === 'started') result.run = (JSON.parse(data) as { generation: { id: string } }).generation.id;
  if (event === 'end') {
    result.end = JSON.parse(data) as NonNullable<StreamResult['end']>;
    result.complete = result.end.state === 'done';
  }
  if (event === 'reset') {
    const { text } = JSON.parse(data) as { text: string };
    result.takenBack += result.text.length - commonLength(result.text, text);
    result.text = text;
  }
  if (event !== 'delta') return;
  result.text += (JSON.parse(data) as { text: string }).text;
  if (seen.first === 0) {
    seen.first = now;
    seen.at = result.text.length;
    result.firstMs = now - startedAt;
  } else if (pace) {
    const tokens = (result.text.length - seen.at) / pace.tokenLength;
    result.delays.push(now - seen.first - (tokens * 1000) / pace.tokensPerSecond);
  }
}

/** Sends a message and reads its event stream to the end, or continues the stream of `before`. */
export function readStream(request: StreamRequest): Promise<StreamResult> {
  const result: StreamResult = { ...emptyResult, delays: [], ...request.before, status: 0 };
  const startedAt = performance.now();
  const seen = { first: 0, at: 0 };
  const headers = {
    accept: 'text/event-stream',
    ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(request.before?.lastId ? { 'last-event-id': request.before.lastId } : {}),
    ...request.headers,
  };
  return new Promise((resolve) => {
    const method = request.body === undefined ? 'GET' : 'POST';
    const call = http.request(request.url, { method, agent, headers }, (response) => {
      result.status = response.statusCode ?? 0;
      request.onAnswered?.();
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        const blocks = (rest + part).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) applyEvent(result, block, startedAt, seen, request.pace);
      });
      response.on('close', () => resolve(result));
      response.on('error', () => resolve(result));
    });
    call.on('error', () => {
      request.onAnswered?.();
      resolve(result);
    });
    call.end(request.body);
  });
}
