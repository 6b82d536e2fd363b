import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type ChatRequest, Refusal, readChatRequest } from './chat-request.ts';
import type { Answer, LanguageModel } from './language-model.ts';

/** In bytes: enough for a conversation that fills the context, in any script. */
const MAX_BODY = 8 * 1024 * 1024;

/** Interval of the comments that keep a stream alive while it is queued or the prompt is processed. */
const COMMENT_MS = 5_000;

export interface Served {
  id: string;
  file: string;
  model: Promise<LanguageModel>;
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Refusal(413, 'The body is too large.', 'payload_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function sendJson(res: ServerResponse, status: number, body: unknown): void {
  if (res.destroyed) return;
  // The unread rest of a body that is too large would be parsed as the next request.
  const close = status === 413 ? { connection: 'close' } : {};
  res.writeHead(status, { 'content-type': 'application/json', ...close }).end(JSON.stringify(body));
}

const usageOf = ({ promptTokens, completionTokens }: Answer) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
  // OpenRouter's field, in US dollars: a local model is free.
  cost: 0,
});

const failureOf = (error: unknown): Refusal =>
  error instanceof Refusal
    ? error
    : new Refusal(500, `The model failed: ${error instanceof Error ? error.message : String(error)}`);

const head = (id: string, object: string) => ({
  id: `chatcmpl-${randomUUID()}`,
  object,
  created: Math.floor(Date.now() / 1000),
  model: id,
});

/** Returns a signal that aborts when the client closes the connection. */
function closeSignal(res: ServerResponse): AbortSignal {
  const closed = new AbortController();
  res.once('close', () => closed.abort());
  return closed.signal;
}

async function complete(served: Served, request: ChatRequest, res: ServerResponse): Promise<void> {
  const prepared = await (await served.model).prepare(request);
  let content = '';
  const answer = await prepared.run((text) => {
    content += text;
  }, closeSignal(res));
  if (!answer) return;
  sendJson(res, 200, {
    ...head(served.id, 'chat.completion'),
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: answer.finish }],
    usage: usageOf(answer),
  });
}

async function stream(served: Served, request: ChatRequest, res: ServerResponse): Promise<void> {
  const signal = closeSignal(res);
  const prepared = await (await served.model).prepare(request);
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const common = head(served.id, 'chat.completion.chunk');
  const send = (fields: object) => res.write(`data: ${JSON.stringify({ ...common, ...fields })}\n\n`);
  const choice = (delta: object, finish: string | null = null) =>
    send({ choices: [{ index: 0, delta, finish_reason: finish }] });
  choice({ role: 'assistant', content: '' });
  const comments = setInterval(() => res.write(': waiting\n\n'), COMMENT_MS);
  try {
    const answer = await prepared.run((text) => {
      clearInterval(comments);
      choice({ content: text });
    }, signal);
    if (!answer) return;
    choice({}, answer.finish);
    if (request.includeUsage) send({ choices: [], usage: usageOf(answer) });
    res.end('data: [DONE]\n\n');
  } catch (error) {
    // The response headers are already sent, so the error is sent as an event.
    res.end(`data: ${JSON.stringify(failureOf(error).body())}\n\n`);
  } finally {
    clearInterval(comments);
  }
}

async function listModels({ id, model }: Served, res: ServerResponse): Promise<void> {
  const { contextTokens, trainedTokens } = await model;
  sendJson(res, 200, {
    object: 'list',
    data: [
      {
        id,
        object: 'model',
        created: 0,
        owned_by: 'local',
        context_length: contextTokens,
        pricing: { prompt: '0', completion: '0' },
        meta: { n_ctx: contextTokens, n_ctx_train: trainedTokens },
      },
    ],
  });
}

async function health({ id, file, model }: Served, res: ServerResponse): Promise<void> {
  const loaded = await Promise.race([model, null]);
  sendJson(res, 200, {
    service: 'local-model',
    status: loaded ? 'ok' : 'loading',
    model: id,
    file,
    busy: loaded?.busy() ?? 0,
  });
}

/** Rejects web pages (browsers send an Origin) and DNS names that resolve to this machine (DNS rebinding). */
function isForeign(req: IncomingMessage): boolean {
  const host = (req.headers.host ?? '').replace(/:\d+$/, '');
  return req.headers.origin !== undefined || !['127.0.0.1', 'localhost', '[::1]'].includes(host);
}

async function handle(served: Served, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (isForeign(req)) throw new Refusal(403, 'Only programs on this machine can use this model.');
  const route = `${req.method} ${(req.url ?? '').replace(/\?.*$/, '')}`;
  if (route === 'GET /health') return health(served, res);
  if (route === 'GET /v1/models') return listModels(served, res);
  if (route !== 'POST /v1/chat/completions') throw new Refusal(404, `There is no ${route}.`, 'not_found');
  const request = readChatRequest(await bodyOf(req));
  return request.stream ? stream(served, request, res) : complete(served, request, res);
}

/** Serves the part of OpenAI's protocol for text models: /v1/models and /v1/chat/completions. */
export function createOpenAiServer(served: Served): Server {
  return createServer((req, res) => {
    handle(served, req, res).catch((error: unknown) => {
      const failure = failureOf(error);
      if (res.headersSent) res.destroy();
      else sendJson(res, failure.status, failure.body());
    });
  });
}
