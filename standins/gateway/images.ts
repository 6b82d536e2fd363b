/**
 * POST /images (OpenRouter) and /images/generations (OpenAI): PNG files at the size asked for, as b64_json.
 * Limits of fidelity: PNG only, no streaming of partial images, no input images. Unless the switch strictSizes is
 * on, sizes are taken that OpenAI's newest image model would refuse (protocols.md, finding 6).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, HttpError, isRecord, sendJson } from '../http.ts';
import { loggedMessage } from '../log.ts';
import { answeredBefore, type GatewayParts, usageOf } from './chat.ts';
import type { ChatCall } from './chat-call.ts';
import { draw } from './draw.ts';
import { blockedAnswer, oddPicture } from './odd-pictures.ts';
import { encodePng } from './png.ts';
import { type Plan, withoutMarkers } from './settings.ts';
import { breakOff } from './stream.ts';
import { promptTokens } from './tokens.ts';
import { seedOf } from './words.ts';

const RESOLUTIONS: Record<string, number> = { '512': 512, '1K': 1024, '2K': 2048, '4K': 4096 };
const PRICE_PER_MEGAPIXEL = 0.02;
const MAX_PIXELS = 8_294_400;
const MAX_PROMPT = 32_000;

interface ImageRequest {
  model: string;
  prompt: string;
  width: number;
  height: number;
  count: number;
}

function refuse(message: string): never {
  throw new HttpError(400, 'invalid_request', message);
}

function bySize(size: unknown): [number, number] | null {
  if (size === undefined || size === null || size === 'auto') return null;
  const match = typeof size === 'string' ? /^(\d{1,5})x(\d{1,5})$/.exec(size) : null;
  return match ? [Number(match[1]), Number(match[2])] : refuse('size must be WIDTHxHEIGHT or auto.');
}

function byRatio(body: Record<string, unknown>): [number, number] {
  const side =
    RESOLUTIONS[String(body.resolution ?? '1K')] ?? refuse('resolution must be 512, 1K, 2K or 4K.');
  const ratio = /^(\d{1,2}):(\d{1,2})$/.exec(String(body.aspect_ratio ?? '1:1'));
  const [a, b] = [Number(ratio?.[1]), Number(ratio?.[2])];
  if (!(a > 0 && b > 0)) refuse('aspect_ratio must be W:H.');
  const unit = side / Math.sqrt(a * b);
  return [Math.round((unit * a) / 16) * 16, Math.round((unit * b) / 16) * 16];
}

function checkSize(width: number, height: number, strict: boolean): void {
  if (width < 16 || height < 16 || width > 4096 || height > 4096 || width * height > MAX_PIXELS)
    refuse(`The size ${width}x${height} is out of bounds.`);
  if (!strict) return;
  const ratio = Math.max(width / height, height / width);
  if (width % 16 || height % 16 || ratio > 3 || Math.max(width, height) > 3840 || width * height < 655_360)
    refuse(
      `Invalid size ${width}x${height}: edges must be multiples of 16, with 655,360 to 8,294,400 pixels.`,
    );
}

function readRequest(body: unknown): Omit<ImageRequest, 'width' | 'height'> & { size: [number, number] } {
  if (!isRecord(body)) refuse('The body must be a JSON object.');
  if (typeof body.model !== 'string' || body.model === '') refuse('No model was given.');
  const { prompt } = body;
  if (typeof prompt !== 'string' || prompt.trim() === '' || prompt.length > MAX_PROMPT)
    refuse(`prompt must be a text of 1 to ${MAX_PROMPT} characters.`);
  const count = body.n ?? 1;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > 10)
    refuse('n must be 1 to 10.');
  if (body.size && body.aspect_ratio) {
    const [width, height] = bySize(body.size) ?? [1, 1];
    const [a, b] = byRatio(body);
    if (Math.abs(width / height - a / b) > 0.02) refuse('size and aspect_ratio do not match.');
  }
  return { model: body.model, prompt, count, size: bySize(body.size) ?? byRatio(body) };
}

async function pictures(request: ImageRequest, plan: Plan, first: number): Promise<unknown> {
  const made: { b64_json: string; media_type: string }[] = [];
  const prompt = plan.markers ? withoutMarkers(request.prompt) : request.prompt;
  for (let number = 0; number < request.count; number++) {
    // A picture that is none, for readers that trust the media type.
    const png =
      plan.mode === 'badjson' || plan.mode === 'control'
        ? Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
        : await encodePng(draw(prompt, request.width, request.height, first + number), prompt);
    if (plan.picture !== null) return oddPicture(plan.picture, png);
    made.push({ b64_json: png.toString('base64'), media_type: 'image/png' });
  }
  return made;
}

async function sendPart(call: ChatCall, json: string): Promise<void> {
  const { res, plan } = call;
  res.writeHead(200, { 'content-type': 'application/json' });
  res.write(json.slice(0, Math.ceil(json.length / 2)));
  if (plan.mode === 'eof') res.end();
  else if (plan.mode === 'reset') await breakOff(res, call.entry);
}

async function sendPictures(call: ChatCall & { first: number }, request: ImageRequest): Promise<void> {
  const { res, plan } = call;
  const megapixels = (request.width * request.height * request.count) / 1e6;
  const cost = Number((megapixels * PRICE_PER_MEGAPIXEL).toFixed(6));
  const usage = { ...call.answer.usage, cost: plan.mode === 'negusage' ? -5 : cost };
  call.entry.view.detail.usage = usage;
  const data = await pictures(request, plan, call.first);
  const answer = { created: Math.floor(Date.now() / 1000), data, usage };
  if (plan.mode === 'nochoices' || plan.mode === 'nullcontent')
    return sendJson(res, 200, { ...answer, data: [] });
  if (plan.mode === 'stall' || plan.mode === 'eof' || plan.mode === 'reset')
    return sendPart(call, JSON.stringify(answer));
  sendJson(res, 200, answer, { 'x-generation-id': call.id });
}

/** A real model never draws a prompt twice alike: calls that name themselves get pictures of their own. */
const variationOf = (requestId: unknown) => (typeof requestId === 'string' ? seedOf(requestId) % 100_000 : 0);

/** Answers one request for images. Throws HttpError 400 in the cases in which a real gateway refuses. */
export async function answerImages(
  call: Call,
  path: string,
  body: unknown,
  parts: GatewayParts,
): Promise<void> {
  const { req, res } = call;
  const id = `gen-${randomUUID()}`;
  const read = isRecord(body) ? body : {};
  const entry = parts.log.open(req, res, path, {
    model: typeof read.model === 'string' ? read.model : null,
    messages: typeof read.prompt === 'string' ? [loggedMessage('user', read.prompt)] : [],
    detail: { kind: 'image', generationId: id, size: read.size ?? null, count: read.n ?? 1 },
  });
  const { size, ...request } = readRequest(body);
  const plan = parts.planner.plan(request.model, request.prompt);
  entry.view.mode = plan.mode;
  checkSize(size[0], size[1], plan.strictSizes);
  const usage = usageOf(promptTokens(request.prompt.length), 0);
  const answer = { tokens: [], text: '', finish: 'stop' as const, usage };
  const image = {
    res,
    entry,
    id,
    model: request.model,
    plan,
    answer,
    userText: request.prompt,
    holds: parts.holds,
    first: variationOf(req.headers['x-request-id']),
  };
  if (answeredBefore(image)) return;
  if (plan.picture === 'blocked') return sendJson(res, 400, blockedAnswer);
  if (plan.mode === 'hold' && !(await parts.holds.wait(request.prompt, res))) return;
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  await sleep(plan.firstTokenMs, null, { signal: gone.signal }).catch(() => null);
  if (!res.destroyed) await sendPictures(image, { ...request, width: size[0], height: size[1] });
}
