import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { HeldCalls } from '../held-calls.ts';
import { type Call, send, sendJson } from '../http.ts';
import { type LogEntry, loggedMessage, type RequestLog } from '../request-log.ts';
import { type Plan, type Planner, withoutMarkers } from './call-plan.ts';
import { answerInMarkdown } from './chat-answer.ts';
import {
  type ChatRequest,
  interruptedReply,
  isQueriesRequest,
  isTitleRequest,
  lastUserText,
} from './chat-request.ts';
import { ChatStream, type Ticker, type Usage } from './chat-stream.ts';
import { refusedForLength } from './context-limit.ts';
import { isRefusal, isThinking, REFUSALS, type RefusalMode } from './fault-modes.ts';
import { answerInJson } from './json-answer.ts';
import { fillToWords, titleOf } from './prose.ts';
import { streamAnswer } from './stream-modes.ts';
import { seedOf } from './text.ts';
import { numberedTokens, piecesOf, promptTokens, tokensOf } from './tokens.ts';
import { sendUnstreamedAnswer } from './unstreamed-answer.ts';
import {
  type Annotation,
  annotationsOf,
  queriesOf,
  refusesPlugin,
  SEARCH_PRICE,
  withCitations,
} from './web-plugin.ts';
import { answerInProse, plannedText } from './writing-answer.ts';

/** USD per token. */
export const PRICE = { prompt: 0.0000003, completion: 0.0000012 };
const PICTURE_TOKENS = 1000;

export interface GatewayParts {
  log: RequestLog;
  planner: Planner;
  ticker: Ticker;
  held: HeldCalls;
}

interface Text {
  tokens: string[];
  text: string;
}

export interface ChatCall {
  res: ServerResponse;
  entry: LogEntry;
  id: string;
  model: string;
  plan: Plan;
  answer: Text & { finish: 'stop' | 'length'; usage: Usage };
  userText: string;
  /** Citations of the web plugin's results. */
  annotations: Annotation[];
  held: HeldCalls;
}

function composeText(request: ChatRequest, plan: Plan, title: boolean): Text {
  const { messages, schema } = request;
  const unmarked = plan.markers
    ? messages.map((m) => ({ ...m, text: withoutMarkers(m.text), texts: m.texts.map(withoutMarkers) }))
    : messages;
  const user = lastUserText(unmarked);
  // Later messages may only report what was wrong with an answer of this shape.
  const first = unmarked.find(({ role }) => role === 'user')?.text ?? '';
  let text: string;
  if (isQueriesRequest(request)) text = queriesOf(lastUserText(messages), plan.markers);
  else if (title) text = titleOf(user);
  else if (plan.raw !== null) text = plan.raw.repeat(plan.times);
  else if (schema) text = answerInJson(schema, first, plan.markers);
  else if (plan.answer === 'lorem') return numberedTokens(plan.tokens ?? 100);
  else
    text = withCitations(
      answerInProse(unmarked, plan.words) ?? answerInMarkdown(unmarked),
      annotationsOf(request, plan.markers),
    );
  const tokens = plan.piece === null ? tokensOf(text) : piecesOf(text, plan.piece);
  if (plan.tokens === null || title || plan.raw !== null || schema) return { tokens, text };
  const enough = tokens.length < plan.tokens ? fillToWords(text, user, plan.tokens, seedOf(user)) : text;
  const exact = tokensOf(enough).slice(0, plan.tokens);
  return { tokens: exact, text: exact.join('') };
}

/** Returns the text after `partial`; the whole answer where `partial` is not part of it or ends it. */
function restOf(answer: Text, partial: string): Text {
  const fullText = answer.tokens.join('');
  const at = fullText.indexOf(partial);
  const text = at < 0 ? '' : fullText.slice(at + partial.length);
  return text === '' ? answer : { tokens: tokensOf(text), text };
}

export function usageOf(prompt: number, answerTokens: number, thought = 0): Usage & Record<string, unknown> {
  const completion = answerTokens + thought;
  const cost = prompt * PRICE.prompt + completion * PRICE.completion;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: thought },
    cost: Number(cost.toFixed(10)),
    is_byok: false,
  };
}

function answerTo(request: ChatRequest, plan: Plan, title: boolean): ChatCall['answer'] {
  const interrupted = interruptedReply(request.messages);
  const { tokens, text } = interrupted
    ? restOf(composeText({ ...request, messages: interrupted.before }, plan, title), interrupted.partial)
    : composeText(request, plan, title);
  const max = Math.min(request.maxTokens ?? Infinity, plan.limit ?? Infinity);
  const isCut = tokens.length > max;
  const answerTokens = isCut ? tokens.slice(0, max) : tokens;
  const prompt = request.messages.reduce(
    (sum, { text: messageText, pictures }) =>
      sum + promptTokens(messageText.length) + pictures.length * PICTURE_TOKENS + 4,
    0,
  );
  return {
    tokens: answerTokens,
    text: isCut ? answerTokens.join('') : text,
    finish: isCut ? 'length' : 'stop',
    usage: usageOf(prompt, answerTokens.length, isThinking(plan.mode) ? plan.thought : 0),
  };
}

/** Sends an error in OpenRouter's form: protocols.md 2.3. */
export function sendGatewayError(
  res: ServerResponse,
  status: number,
  message: string,
  metadata: Record<string, unknown>,
  headers: Record<string, string> = {},
): void {
  sendJson(res, status, { error: { code: status, message, metadata } }, headers);
}

function sendRefusal(mode: RefusalMode, { res, plan, userText, model }: ChatCall): void {
  const [error_type, message] = REFUSALS[mode];
  const status = Number(mode);
  const flagged = {
    reasons: ['violence'],
    flagged_input: userText.slice(0, 100),
    provider_name: 'Stand-in',
    model_slug: model,
  };
  const retry = { 'retry-after': String(plan.retryAfter) };
  const limits = {
    'x-ratelimit-limit': '20',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Date.now() + plan.retryAfter * 1000),
  };
  const metadata = { error_type, ...(status === 403 && flagged) };
  const headers = { ...([429, 503, 529].includes(status) && retry), ...(status === 429 && limits) };
  sendGatewayError(res, status, message, metadata, headers);
}

const BAD_GATEWAY =
  '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

export function answeredWithFault(call: ChatCall): boolean {
  const { res, plan } = call;
  const { mode } = plan;
  if (isRefusal(mode)) sendRefusal(mode, call);
  else if (mode === 'html' || mode === '502') send(res, mode === '502' ? 502 : 200, 'text/html', BAD_GATEWAY);
  else if (mode === 'empty') res.writeHead(200, { 'content-type': 'text/event-stream' }).end();
  else if (mode === 'json402') {
    const [error_type, message] = REFUSALS[402];
    sendJson(res, 200, { error: { code: 402, message, metadata: { error_type } } });
  } else return mode === 'stallhead';
  return true;
}

export async function answerChat(
  { req, res, url }: Call,
  request: ChatRequest,
  { log, planner, ticker, held }: GatewayParts,
): Promise<void> {
  const { model, models, messages, stream, maxTokens } = request;
  const title = isTitleRequest(request);
  const before = interruptedReply(messages)?.before ?? messages;
  const userText = plannedText(before, lastUserText(before));
  const id = `gen-${randomUUID()}`;
  const entry = log.open(req, res, url.pathname, {
    model,
    messages: messages.map((message) => loggedMessage(message.role, message.text)),
    stream,
    detail: {
      kind: title ? 'title' : isQueriesRequest(request) ? 'queries' : request.schema ? 'json' : 'chat',
      ...(request.web === null ? {} : { web: request.web }),
      generationId: id,
      maxTokens,
      pictures: messages.flatMap(({ pictures }) => pictures),
    },
  });
  // Titles and search queries ignore the markers of the person's message, except their own.
  const plan = planner.plan(model, userText, title || isQueriesRequest(request));
  const annotations = title ? [] : annotationsOf(request, plan.markers);
  const answeringModel = models.find((each) => !plan.away.includes(each));
  if (answeringModel === undefined) plan.mode = '503';
  const { mode } = plan;
  entry.view.mode = mode;
  if (refusesPlugin(request, plan.markers))
    return sendGatewayError(res, 400, 'Unrecognized request argument supplied: plugins', {
      error_type: 'invalid_request',
    });
  const answer = answerTo(request, plan, title);
  answer.usage.cost = Number((answer.usage.cost + annotations.length * SEARCH_PRICE).toFixed(10));
  entry.view.detail.usage = answer.usage;
  const call: ChatCall = {
    res,
    entry,
    id,
    model: answeringModel ?? model,
    plan,
    answer,
    userText,
    annotations,
    held,
  };
  if (refusedForLength(call, maxTokens) || answeredWithFault(call)) return;
  if (mode === 'hold' && (plan.holdAfter === 0 || !stream) && !(await held.wait(userText, res))) return;
  if (stream) await streamAnswer(call, new ChatStream(call, ticker));
  else await sendUnstreamedAnswer(call);
}
