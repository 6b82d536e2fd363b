import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChatCall } from './chat.ts';
import { type ChatStream, drained, resetConnection } from './chat-stream.ts';
import {
  ENGINE_ERROR,
  HOSTILE_TEXT,
  isThinking,
  MEBIBYTES,
  type StreamMode,
  UPSTREAM_ERROR,
  USAGES,
} from './fault-modes.ts';
import { streamThinking } from './thinking.ts';
import { tokensOf } from './tokens.ts';

type Streamer = (stream: ChatStream, call: ChatCall) => void | Promise<void>;

const COMMENT = ': OPENROUTER PROCESSING';

const firstHalf = ({ answer: { tokens } }: ChatCall) => tokens.slice(0, Math.ceil(tokens.length / 2));
const secondHalf = ({ answer: { tokens } }: ChatCall) => tokens.slice(Math.ceil(tokens.length / 2));

function finishStream(
  stream: ChatStream,
  { answer, annotations }: ChatCall,
  usage: Record<string, unknown> = {},
): void {
  if (stream.closed) return;
  if (annotations.length > 0) stream.delta({ content: '', annotations });
  stream.finish(answer.finish);
  stream.usage({ ...answer.usage, ...usage });
  closeStream(stream);
}

function closeStream(stream: ChatStream): void {
  stream.done();
  stream.end();
}

function betweenHalves(extra: Streamer): Streamer {
  return async (stream, call) => {
    if (await stream.pace(firstHalf(call), call.plan)) await extra(stream, call);
    if (await stream.pace(secondHalf(call), call.plan)) finishStream(stream, call);
  };
}

function afterHalf(next: Streamer): Streamer {
  return async (stream, call) => {
    if (await stream.pace(firstHalf(call), call.plan)) await next(stream, call);
  };
}

function afterAll(next: Streamer): Streamer {
  return async (stream, call) => {
    if (await stream.pace(call.answer.tokens, call.plan, call.answer.text)) await next(stream, call);
  };
}

function openRouterError(stream: ChatStream): void {
  const error = {
    code: 'server_error',
    message: 'Provider disconnected',
    metadata: { error_type: 'provider_unavailable' },
  };
  const choice = { index: 0, delta: { content: '' }, finish_reason: 'error' };
  stream.event({ ...stream.head, error, choices: [choice] });
  closeStream(stream);
}

async function splitUtf8(stream: ChatStream, call: ChatCall): Promise<void> {
  const tokens = tokensOf(`é😀漢 ${call.answer.text}`);
  const size = Math.ceil(tokens.length / 8);
  for (let from = 0; from < tokens.length; from += size) {
    const text = tokens.slice(from, from + size).join('');
    for (const byte of Buffer.from(stream.tokenFrame(text))) {
      if (stream.closed) return;
      stream.res.write(Buffer.from([byte]));
      await nextTurn();
    }
    call.entry.sent(text, size);
  }
  finishStream(stream, call);
}

async function hugeLine(stream: ChatStream): Promise<void> {
  const [before = '', after = ''] = stream.tokenFrame('|').split('|');
  stream.send(before);
  const block = 'x'.repeat(1 << 20);
  for (let sent = 0; sent < MEBIBYTES && !stream.closed; sent++) {
    stream.send(block);
    stream.entry.sent(block);
    await drained(stream.res);
  }
  stream.send(after);
  stream.end();
}

async function endless(stream: ChatStream, call: ChatCall): Promise<void> {
  while (!stream.closed) {
    stream.token(`${call.answer.text} `);
    await drained(stream.res);
    await nextTurn();
  }
}

async function hold(stream: ChatStream, call: ChatCall): Promise<void> {
  const { answer, plan } = call;
  if (!(await stream.pace(answer.tokens.slice(0, plan.holdAfter), plan))) return;
  if (plan.holdAfter > 0 && !(await call.held.wait(call.userText, call.res))) return;
  if (await stream.pace(answer.tokens.slice(plan.holdAfter), plan)) finishStream(stream, call);
}

async function lateError(stream: ChatStream, call: ChatCall): Promise<void> {
  const source = call.answer.text;
  const text = source.repeat(Math.ceil(200 / Math.max(1, source.length))).slice(0, 200);
  if (await stream.pace(tokensOf(text), call.plan, text)) openRouterError(stream);
}

const ok: Streamer = afterAll(finishStream);
const withUsage = (mode: keyof typeof USAGES): Streamer =>
  afterAll((stream, call) => finishStream(stream, call, USAGES[mode]));

const STREAMERS: Partial<Record<StreamMode, Streamer>> = {
  comments: (stream, call) => {
    stream.send(`${COMMENT}\n\n`);
    return betweenHalves((open) => open.send(`${COMMENT}\n\n${COMMENT}\n\n`))(stream, call);
  },
  splitutf8: splitUtf8,
  nousage: afterAll((stream, call) => {
    stream.finish(call.answer.finish);
    closeStream(stream);
  }),
  miderror: afterHalf(openRouterError),
  miderror2: afterHalf((stream) => {
    stream.event({ error: UPSTREAM_ERROR });
    stream.end();
  }),
  vllmerror: afterHalf((stream) => {
    stream.event({ error: ENGINE_ERROR });
    closeStream(stream);
  }),
  fielderror: afterHalf((stream) => {
    stream.send('error: {"code":500,"message":"Compute error.","type":"server_error"}\n\n');
    closeStream(stream);
  }),
  lateerror: lateError,
  eof: afterHalf((stream) => stream.end()),
  eofnodone: afterAll((stream, call) => {
    stream.finish(call.answer.finish);
    stream.end();
  }),
  reset: afterHalf((stream) => resetConnection(stream.res, stream.entry)),
  stall: afterHalf(() => undefined),
  badjson: betweenHalves((stream) => stream.send('data: {"choices":[{"delta":{"content":"lost\n\n')),
  nochoices: betweenHalves((stream) => stream.event(stream.head)),
  nullcontent: betweenHalves((stream) => {
    stream.delta({ role: 'assistant', content: null });
    stream.delta({});
  }),
  afterdone: afterAll((stream, call) => {
    stream.finish(call.answer.finish);
    stream.usage(call.answer.usage);
    stream.done();
    stream.send(stream.tokenFrame('AFTER THE END'));
    stream.end();
  }),
  doublefinish: afterAll((stream, call) => {
    stream.finish('stop');
    stream.send(stream.tokenFrame('AFTER THE FINISH'));
    stream.finish('length');
    stream.usage(call.answer.usage);
    closeStream(stream);
  }),
  negusage: withUsage('negusage'),
  nanusage: withUsage('nanusage'),
  hugeusage: withUsage('hugeusage'),
  control: async (stream, call) => {
    const tokens = [...firstHalf(call), ...HOSTILE_TEXT, ...secondHalf(call)];
    if (await stream.pace(tokens, call.plan)) finishStream(stream, call);
  },
  hugeline: hugeLine,
  endless,
  hold,
};

/** Modes without a function in STREAMERS (crlf, nospace, slow, thinking) run as `ok`. */
export async function streamAnswer(call: ChatCall, stream: ChatStream): Promise<void> {
  stream.open();
  const { mode } = call.plan;
  if (isThinking(mode) && !(await streamThinking(mode, call, stream))) return;
  await (STREAMERS[call.plan.mode as StreamMode] ?? ok)(stream, call);
}
