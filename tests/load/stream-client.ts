import http from 'node:http';

export interface StreamResult {
  /** Of the answer; 0 where the connection broke before it. */
  status: number;
  /** Milliseconds from the request to the first text. */
  firstMs: number;
  /** Milliseconds that each event came later than the pace from the first one on. */
  delays: number[];
  text: string;
  complete: boolean;
}

export interface StreamRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Tokens a second of the gateway, and the length of one, for the delays. */
  pace?: { tokensPerSecond: number; tokenLength: number };
}

const agent = new http.Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

function take(
  result: StreamResult,
  block: string,
  startedAt: number,
  seen: { first: number; at: number },
  pace: StreamRequest['pace'],
): void {
  const now = performance.now();
  if (block.includes('event: end')) result.complete = block.includes('"done"');
  const data = /^data: (.*)$/m.exec(block)?.[1];
  if (!data || !block.includes('event: delta')) return;
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

/** Sends one message and reads its event stream to the end. */
export function readStream(request: StreamRequest): Promise<StreamResult> {
  const result: StreamResult = { status: 0, firstMs: Number.NaN, delays: [], text: '', complete: false };
  const startedAt = performance.now();
  const seen = { first: 0, at: 0 };
  return new Promise((resolve) => {
    const call = http.request(
      request.url,
      {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...request.headers },
      },
      (response) => {
        result.status = response.statusCode ?? 0;
        let rest = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          const blocks = (rest + part).split('\n\n');
          rest = blocks.pop() ?? '';
          for (const block of blocks) take(result, block, startedAt, seen, request.pace);
        });
        response.on('close', () => resolve(result));
      },
    );
    call.on('error', () => resolve(result));
    call.end(request.body);
  });
}
