/**
 * Limits of fidelity: it cannot hear. It answers with measurements of the file, only in response_format json, and
 * ignores prompt, language and timestamps.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Call, HttpError, sendJson } from '../http.ts';
import { answeredWithFault, type ChatCall, type GatewayParts, usageOf } from './chat.ts';
import { refuse } from './chat-request.ts';
import { HOSTILE_TEXT, USAGES } from './fault-modes.ts';
import { sendHalf, waitUnlessClosed } from './unstreamed-answer.ts';

/** OpenAI's limit. */
const MAX_BYTES = 25 * 1024 * 1024;
const ENDINGS = ['flac', 'mp3', 'mp4', 'mpeg', 'mpga', 'm4a', 'ogg', 'wav', 'webm'];
/** USD per megabyte. */
const PRICE = 0.01;

interface TranscriptionRequest {
  model: string;
  ending: string;
  bytes: number;
}

async function readForm(req: IncomingMessage): Promise<FormData> {
  const type = req.headers['content-type'] ?? '';
  if (!/^multipart\/form-data;/i.test(type))
    throw new HttpError(415, 'unsupported_type', 'Send multipart/form-data.');
  if (Number(req.headers['content-length'] ?? 0) > MAX_BYTES)
    throw new HttpError(413, 'too_large', `Maximum content size limit (${MAX_BYTES}) exceeded.`);
  const body = new Uint8Array(await buffer(req));
  return new Response(body, { headers: { 'content-type': type } })
    .formData()
    .catch(() => refuse('The form cannot be read.'));
}

function readRequest(form: FormData): TranscriptionRequest {
  const [model, file, format] = ['model', 'file', 'response_format'].map((name) => form.get(name));
  if (typeof model !== 'string' || model === '') refuse('you must provide a model parameter');
  if (!(file instanceof File) || file.size === 0) refuse('file is required.');
  const ending = file.name.split('.').at(-1) ?? '';
  if (!ENDINGS.includes(ending)) refuse(`Invalid file format. Supported formats: ${ENDINGS.join(', ')}`);
  if (format !== null && format !== 'json') refuse('response_format must be json.');
  return { model, ending, bytes: file.size };
}

function bodyOf({ plan: { mode, raw } }: ChatCall, { ending, bytes }: TranscriptionRequest): object {
  const transcript = `This is a stand-in, which cannot hear: it got ${bytes} bytes of ${ending}.`;
  const usage = { cost: Number(((bytes / 1e6) * PRICE).toFixed(6)) };
  switch (mode) {
    case 'nochoices':
      return { usage };
    case 'nullcontent':
      return { text: '', usage };
    case 'nousage':
      return { text: raw ?? transcript };
    case 'negusage':
    case 'nanusage':
    case 'hugeusage':
      return { text: raw ?? transcript, usage: USAGES[mode] };
    case 'control':
      return { text: `${transcript} ${HOSTILE_TEXT.join('')}`, usage };
    case 'hugeline':
      return { text: 'x'.repeat(8 * 1024 * 1024), usage };
    default:
      return { text: raw ?? transcript, usage };
  }
}

export async function answerTranscription(
  { req, res, url }: Call,
  { log, planner, held }: GatewayParts,
): Promise<void> {
  const id = `gen-${randomUUID()}`;
  const request = readRequest(await readForm(req));
  const { model, ending, bytes } = request;
  const plan = planner.plan(model, '');
  const entry = log.open(req, res, url.pathname, {
    model,
    messages: [],
    detail: { kind: 'transcription', generationId: id, ending, bytes },
  });
  entry.view.mode = plan.mode;
  const answer = { tokens: [], text: '', finish: 'stop' as const, usage: usageOf(0, 0) };
  const call: ChatCall = { res, entry, id, model, plan, answer, userText: '', annotations: [], held };
  if (answeredWithFault(call)) return;
  if (plan.mode === 'hold' && !(await held.wait('dictation', res))) return;
  if (!(await waitUnlessClosed(call, plan.firstTokenMs))) return;
  const body = bodyOf(call, request);
  if (!['stall', 'eof', 'reset'].includes(plan.mode))
    return sendJson(res, 200, body, { 'x-generation-id': id });
  res.writeHead(200, { 'content-type': 'application/json' });
  await sendHalf(call, JSON.stringify(body));
}
