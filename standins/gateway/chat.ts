/** POST /chat/completions, streamed and whole: what is answered, and the modes that come before the first byte. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Holds } from '../holds.ts';
import { type Call, sendJson } from '../http.ts';
import { loggedMessage, type RequestLog } from '../log.ts';
import type { Answer, ChatCall } from './chat-call.ts';
import { composeAnswer, composeTitle } from './compose.ts';
import { refusedForLength } from './context.ts';
import { composeDocument } from './document.ts';
import { fillToWords } from './filler.ts';
import { isRefusal, REFUSALS, type RefusalMode } from './modes.ts';
import { brokenOff, type ChatRequest, isTitleRequest, lastUserText, type Message } from './request.ts';
import { composeJson } from './schema.ts';
import { composeScreenplay, isScreenplayRequest } from './screenplay.ts';
import { type Plan, type Planner, withoutMarkers } from './settings.ts';
import { ChatStream, type Usage } from './stream.ts';
import { streamAnswer } from './streaming.ts';
import type { Ticker } from './ticker.ts';
import { numberedTokens, piecesOf, promptTokens, tokensOf } from './tokens.ts';
import { wholeAnswer } from './whole.ts';
import { seedOf } from './words.ts';
import { composeWriting, plannedBy } from './writer.ts';

/** Prices of the stand-in, USD per token. */
export const PRICE = { prompt: 0.0000003, completion: 0.0000012 };

/** What a picture counts as. */
const PICTURE_TOKENS = 1000;

export interface GatewayParts {
  log: RequestLog;
  planner: Planner;
  ticker: Ticker;
  holds: Holds;
}

function content(request: ChatRequest, plan: Plan, title: boolean): { tokens: string[]; text: string } {
  const plain = plan.markers
    ? request.messages.map(
        (m): Message => ({ ...m, text: withoutMarkers(m.text), texts: m.texts.map(withoutMarkers) }),
      )
    : request.messages;
  const user = lastUserText(plain);
  let text: string;
  if (title) text = composeTitle(user);
  else if (plan.raw !== null) text = plan.raw.repeat(plan.times);
  else if (request.schema)
    text =
      composeDocument({ ...request, messages: plain }, plan.markers) ?? composeJson(request.schema, user);
  else if (plan.answer === 'lorem') return numberedTokens(plan.tokens ?? 100);
  else if (isScreenplayRequest(plain)) text = composeScreenplay(plain);
  else text = composeWriting(plain, plan.words) ?? composeAnswer(plain);
  const tokens = plan.piece === null ? tokensOf(text) : piecesOf(text, plan.piece);
  if (plan.tokens === null || title || plan.raw !== null || request.schema) return { tokens, text };
  const enough = tokens.length < plan.tokens ? fillToWords(text, user, plan.tokens, seedOf(user)) : text;
  const exact = tokensOf(enough).slice(0, plan.tokens);
  return { tokens: exact, text: exact.join('') };
}

/** What stands behind `begun` in an answer; the whole answer where `begun` is no part of it, or its end. */
function restOf(
  answer: { tokens: string[]; text: string },
  begun: string,
): { tokens: string[]; text: string } {
  const whole = answer.tokens.join('');
  const at = whole.indexOf(begun);
  const text = at < 0 ? '' : whole.slice(at + begun.length);
  return text === '' ? answer : { tokens: tokensOf(text), text };
}

/** Usage with a cost in USD, as OpenRouter sends it. */
export function usageOf(prompt: number, completion: number): Usage & Record<string, unknown> {
  const cost = prompt * PRICE.prompt + completion * PRICE.completion;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
    cost: Number(cost.toFixed(10)),
    is_byok: false,
  };
}

function answerTo(request: ChatRequest, plan: Plan, title: boolean): Answer {
  const open = brokenOff(request.messages);
  const { tokens, text } = open
    ? restOf(content({ ...request, messages: open.before }, plan, title), open.begun)
    : content(request, plan, title);
  const most = Math.min(request.maxTokens ?? Infinity, plan.limit ?? Infinity);
  const cut = tokens.length > most;
  const kept = cut ? tokens.slice(0, most) : tokens;
  const prompt = request.messages.reduce(
    (sum, { text: said, pictures }) => sum + promptTokens(said.length) + pictures.length * PICTURE_TOKENS + 4,
    0,
  );
  return {
    tokens: kept,
    text: cut ? kept.join('') : text,
    finish: cut ? 'length' : 'stop',
    usage: usageOf(prompt, kept.length),
  };
}

/** Sends an error in OpenRouter's shape (protocols.md 2.3). */
export function sendGatewayError(
  res: ServerResponse,
  status: number,
  message: string,
  metadata: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): void {
  sendJson(res, status, { error: { code: status, message, metadata } }, headers);
}

function refuseAs(mode: RefusalMode, call: ChatCall): void {
  const { status, type, message } = REFUSALS[mode];
  const metadata: Record<string, unknown> = { error_type: type };
  const headers: Record<string, string> = {};
  if (status === 403)
    Object.assign(metadata, {
      reasons: ['violence'],
      flagged_input: call.userText.slice(0, 100),
      provider_name: 'Stand-in',
      model_slug: call.model,
    });
  if (status === 429 || status === 503 || status === 529)
    headers['retry-after'] = String(call.plan.retryAfter);
  if (status === 429)
    Object.assign(headers, {
      'x-ratelimit-limit': '20',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Date.now() + call.plan.retryAfter * 1000),
    });
  sendGatewayError(call.res, status, message, metadata, headers);
}

const BAD_GATEWAY =
  '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

/** Modes that need no answer. True when this call is dealt with. */
export function answeredBefore(call: ChatCall): boolean {
  const { res, plan } = call;
  const { mode } = plan;
  if (isRefusal(mode)) refuseAs(mode, call);
  else if (mode === 'html' || mode === '502') {
    res.writeHead(mode === '502' ? 502 : 200, { 'content-type': 'text/html' });
    res.end(BAD_GATEWAY);
  } else if (mode === 'empty') {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.end();
  } else if (mode === 'json402')
    sendJson(res, 200, {
      error: { code: 402, message: 'Insufficient credits', metadata: { error_type: 'payment_required' } },
    });
  else return mode === 'stallhead';
  return true;
}

/** Answers one chat request. Throws HttpError 400 for a bad marker or mode, before anything is sent. */
export async function answerChat(
  call: Call,
  path: string,
  request: ChatRequest,
  parts: GatewayParts,
): Promise<void> {
  const { req, res } = call;
  const title = isTitleRequest(request);
  const last = lastUserText(brokenOff(request.messages)?.before ?? request.messages);
  const userText = plannedBy(request.messages, last);
  const kind = title ? 'title' : request.schema ? 'json' : 'chat';
  const id = `gen-${randomUUID()}`;
  const entry = parts.log.open(req, res, path, {
    model: request.model,
    messages: request.messages.map((message) => loggedMessage(message.role, message.text)),
    stream: request.stream,
    detail: {
      kind,
      generationId: id,
      maxTokens: request.maxTokens,
      pictures: request.messages.flatMap((message) => message.pictures),
    },
  });
  const plan = parts.planner.plan(request.model, userText, title);
  entry.view.mode = plan.mode;
  const answer = answerTo(request, plan, title);
  entry.view.detail.usage = answer.usage;
  const chat: ChatCall = { res, entry, id, model: request.model, plan, answer, userText, holds: parts.holds };
  if (refusedForLength(chat, plan.context, request.maxTokens) || answeredBefore(chat)) return;
  if (
    plan.mode === 'hold' &&
    (plan.holdAfter === 0 || !request.stream) &&
    !(await parts.holds.wait(userText, res))
  )
    return;
  if (!request.stream) return wholeAnswer(chat);
  const wire = {
    space: plan.mode === 'nospace' ? '' : ' ',
    eol: plan.mode === 'crlf' ? '\r\n' : '\n',
  } as const;
  await streamAnswer(chat, new ChatStream(res, entry, parts.ticker, chat, wire));
}
