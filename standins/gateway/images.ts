/**
 * Limits of fidelity: PNG only, no streaming of partial images, no input images. Unless the switch strictSizes is on,
 * it accepts sizes that OpenAI's newest image model would refuse (protocols.md, finding 6).
 */
import { randomUUID } from 'node:crypto';
import { type Call, isRecord, sendJson } from '../http.ts';
import { loggedMessage } from '../request-log.ts';
import { type Plan, withoutMarkers } from './call-plan.ts';
import { answeredWithFault, type ChatCall, type GatewayParts, usageOf } from './chat.ts';
import { refuse } from './chat-request.ts';
import { drawPng } from './drawing.ts';
import { blockedAnswer, faultyPictures } from './picture-faults.ts';
import { seedOf } from './text.ts';
import { promptTokens } from './tokens.ts';
import { sendHalf, waitUnlessClosed } from './unstreamed-answer.ts';

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

function parseSize(size: unknown): [number, number] | null {
  if (size === undefined || size === null || size === 'auto') return null;
  const match = typeof size === 'string' ? /^(\d{1,5})x(\d{1,5})$/.exec(size) : null;
  return match ? [Number(match[1]), Number(match[2])] : refuse('size must be WIDTHxHEIGHT or auto.');
}

function sizeFromRatio(body: Record<string, unknown>): [number, number] {
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

function readRequest(body: unknown): ImageRequest {
  if (!isRecord(body)) refuse('The body must be a JSON object.');
  if (typeof body.model !== 'string' || body.model === '') refuse('No model was given.');
  const { prompt } = body;
  if (typeof prompt !== 'string' || prompt.trim() === '' || prompt.length > MAX_PROMPT)
    refuse(`prompt must be a text of 1 to ${MAX_PROMPT} characters.`);
  const count = body.n ?? 1;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > 10)
    refuse('n must be 1 to 10.');
  if (body.size && body.aspect_ratio) {
    const [width, height] = parseSize(body.size) ?? [1, 1];
    const [a, b] = sizeFromRatio(body);
    if (Math.abs(width / height - a / b) > 0.02) refuse('size and aspect_ratio do not match.');
  }
  const [width, height] = parseSize(body.size) ?? sizeFromRatio(body);
  return { model: body.model, prompt, count, width, height };
}

async function drawPictures(request: ImageRequest, plan: Plan, first: number): Promise<unknown> {
  const { width, height, count } = request;
  const prompt = plan.markers ? withoutMarkers(request.prompt) : request.prompt;
  const drawn: { b64_json: string; media_type: string }[] = [];
  for (let number = 0; number < count; number++) {
    // Not a picture: tests readers that trust the media type.
    const png =
      plan.mode === 'badjson' || plan.mode === 'control'
        ? Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
        : await drawPng(prompt, width, height, first + number);
    if (plan.picture !== null) return faultyPictures(plan.picture, png);
    drawn.push({ b64_json: png.toString('base64'), media_type: 'image/png' });
  }
  return drawn;
}

async function sendPictures(call: ChatCall, request: ImageRequest, first: number): Promise<void> {
  const { res, plan, answer, entry } = call;
  const megapixels = (request.width * request.height * request.count) / 1e6;
  const cost = Number((megapixels * PRICE_PER_MEGAPIXEL).toFixed(6));
  const usage = { ...answer.usage, cost: plan.mode === 'negusage' ? -5 : cost };
  entry.view.detail.usage = usage;
  const isEmpty = plan.mode === 'nochoices' || plan.mode === 'nullcontent';
  const data = isEmpty ? [] : await drawPictures(request, plan, first);
  const body = { created: Math.floor(Date.now() / 1000), data, usage };
  if (!['stall', 'eof', 'reset'].includes(plan.mode))
    return sendJson(res, 200, body, { 'x-generation-id': call.id });
  res.writeHead(200, { 'content-type': 'application/json' });
  await sendHalf(call, JSON.stringify(body));
}

export async function answerImages(
  { req, res, url }: Call,
  body: unknown,
  { log, planner, held }: GatewayParts,
): Promise<void> {
  const id = `gen-${randomUUID()}`;
  const fields = isRecord(body) ? body : {};
  const entry = log.open(req, res, url.pathname, {
    model: typeof fields.model === 'string' ? fields.model : null,
    messages: typeof fields.prompt === 'string' ? [loggedMessage('user', fields.prompt)] : [],
    detail: { kind: 'image', generationId: id, size: fields.size ?? null, count: fields.n ?? 1 },
  });
  const request = readRequest(body);
  const { model, prompt, width, height } = request;
  const plan = planner.plan(model, prompt);
  entry.view.mode = plan.mode;
  checkSize(width, height, plan.strictSizes);
  const usage = usageOf(promptTokens(prompt.length), 0);
  const answer = { tokens: [], text: '', finish: 'stop' as const, usage };
  const call: ChatCall = { res, entry, id, model, plan, answer, userText: prompt, annotations: [], held };
  if (answeredWithFault(call)) return;
  if (plan.picture === 'blocked') return sendJson(res, 400, blockedAnswer);
  if (plan.mode === 'hold' && !(await held.wait(prompt, res))) return;
  // A real model never draws the same prompt identically: each request id gets different pictures.
  const requestId = req.headers['x-request-id'];
  const first = typeof requestId === 'string' ? seedOf(requestId) % 100_000 : 0;
  if (await waitUnlessClosed(call, plan.firstTokenMs)) await sendPictures(call, request, first);
}
