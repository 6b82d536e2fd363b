interface Answer {
  status: number;
  headers: Headers;
  raw: string;
  events: unknown[];
  text: string;
  broken: boolean;
}

interface Chunk {
  choices?: { delta?: { content?: string | null }; finish_reason?: string | null }[];
  usage?: Record<string, unknown>;
  error?: unknown;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

export function post(base: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(`${base}/gateway/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer test', 'content-type': 'application/json', 'x-request-id': 'req-1' },
    body: JSON.stringify(body),
    signal,
  });
}

export function userBody(content: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { model: 'test/model', stream: true, messages: [{ role: 'user', content }], ...fields };
}

export async function ask(
  base: string,
  body: Record<string, unknown>,
  enough: (raw: string) => boolean = () => false,
): Promise<Answer> {
  const abort = new AbortController();
  const response = await post(base, body, abort.signal);
  const decoder = new TextDecoder();
  let raw = '';
  let broken = false;
  try {
    for await (const part of response.body ?? []) {
      raw += decoder.decode(part, { stream: true });
      if (enough(raw)) break;
    }
  } catch {
    broken = true;
  }
  abort.abort();
  const lines = raw.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  const events = lines
    .map((line) => line.slice(5).trim())
    .filter((line) => line !== '[DONE]')
    .map(parseLine);
  const text = events.map((event) => (event as Chunk).choices?.[0]?.delta?.content ?? '').join('');
  return { status: response.status, headers: response.headers, raw, events, text, broken };
}

export function finishReasons(answer: Answer): string[] {
  return answer.events.flatMap((event) => (event as Chunk).choices?.[0]?.finish_reason ?? []);
}

export function usages(answer: Answer): Record<string, unknown>[] {
  return answer.events.map((event) => (event as Chunk).usage).filter((usage) => usage !== undefined);
}
