/** The streamed answer in each mode. The modes are those of the hostile gateway that the product must survive. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChatCall } from './chat-call.ts';
import type { StreamMode } from './modes.ts';
import type { ChatStream } from './stream.ts';
import { tokensOf } from './tokens.ts';

type Act = (stream: ChatStream, call: ChatCall) => void | Promise<void>;

const COMMENT = ': OPENROUTER PROCESSING';
const MEBIBYTE = 1 << 20;

const half = (tokens: string[]) => tokens.slice(0, Math.ceil(tokens.length / 2));
const rest = (tokens: string[]) => tokens.slice(Math.ceil(tokens.length / 2));

function ending(stream: ChatStream, call: ChatCall, usage: Record<string, unknown> = {}): void {
  if (stream.closed) return;
  stream.finish(call.answer.finish);
  stream.usage({ ...call.answer.usage, ...usage });
  stream.done();
  stream.end();
}

/** The whole answer with something extra between its halves. */
function between(extra: (stream: ChatStream) => void): Act {
  return async (stream, call) => {
    if (await stream.pace(half(call.answer.tokens), call.plan)) extra(stream);
    if (await stream.pace(rest(call.answer.tokens), call.plan)) ending(stream, call);
  };
}

/** Half of the answer, then something that ends it. */
function afterHalf(then: (stream: ChatStream) => void | Promise<void>): Act {
  return async (stream, call) => {
    if (await stream.pace(half(call.answer.tokens), call.plan)) await then(stream);
  };
}

/** The whole answer with another usage. */
function withUsage(usage: Record<string, unknown>): Act {
  return async (stream, call) => {
    if (await stream.pace(call.answer.tokens, call.plan, call.answer.text)) ending(stream, call, usage);
  };
}

function openRouterError(stream: ChatStream): void {
  stream.event({
    ...stream.head,
    error: {
      code: 'server_error',
      message: 'Provider disconnected',
      metadata: { error_type: 'provider_unavailable' },
    },
    choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
  });
}

/** Text with what a database or a page chokes on, next to the user's words. */
function controlTokens(call: ChatCall): string[] {
  const hostile = [
    'A\u0000B ',
    '\ud800',
    ' \udc00x ',
    '\u0007\u001b[31m',
    '\u2028',
    '\u202eright ',
    '\ufffe ',
  ];
  return [...half(call.answer.tokens), ...hostile, ...rest(call.answer.tokens)];
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
  ending(stream, call);
}

async function hugeLine(stream: ChatStream): Promise<void> {
  const [before = '', after = ''] = stream.tokenFrame('|').split('|');
  stream.send(before);
  const block = 'x'.repeat(MEBIBYTE);
  for (let sent = 0; sent < 200 && !stream.closed; sent++) {
    stream.send(block);
    stream.entry.sent(block);
    await stream.drained();
  }
  stream.send(after);
  stream.end();
}

async function endless(stream: ChatStream, call: ChatCall): Promise<void> {
  const block = `${call.answer.text} `;
  while (!stream.closed) {
    stream.token(block);
    await stream.drained();
    await nextTurn();
  }
}

async function hold(stream: ChatStream, call: ChatCall): Promise<void> {
  const { answer, plan } = call;
  const early = answer.tokens.slice(0, plan.holdAfter);
  if (!(await stream.pace(early, plan))) return;
  if (plan.holdAfter > 0 && !(await call.holds.wait(call.userText, call.res))) return;
  if (await stream.pace(answer.tokens.slice(plan.holdAfter), plan)) ending(stream, call);
}

async function lateError(stream: ChatStream, call: ChatCall): Promise<void> {
  const source = call.answer.text;
  const text = source.repeat(Math.ceil(200 / Math.max(1, source.length))).slice(0, 200);
  if (!(await stream.pace(tokensOf(text), call.plan, text))) return;
  openRouterError(stream);
  stream.done();
  stream.end();
}

const ok: Act = withUsage({});
const whole =
  (then: Act): Act =>
  async (stream, call) => {
    if (await stream.pace(call.answer.tokens, call.plan, call.answer.text)) await then(stream, call);
  };

const ACTS: Partial<Record<StreamMode, Act>> = {
  comments: async (stream, call) => {
    stream.send(`${COMMENT}\n\n`);
    await between((open) => open.send(`${COMMENT}\n\n${COMMENT}\n\n`))(stream, call);
  },
  splitutf8: splitUtf8,
  nousage: whole((stream, call) => {
    stream.finish(call.answer.finish);
    stream.done();
    stream.end();
  }),
  reasoning: (stream, call) => {
    for (const token of half(call.answer.tokens))
      stream.delta({ role: 'assistant', content: '', reasoning: token });
    return ok(stream, call);
  },
  miderror: afterHalf((stream) => {
    openRouterError(stream);
    stream.done();
    stream.end();
  }),
  miderror2: afterHalf((stream) => {
    stream.event({ error: { code: 502, message: 'Upstream died' } });
    stream.end();
  }),
  vllmerror: afterHalf((stream) => {
    const error = {
      object: 'error',
      message: 'Engine loop died',
      type: 'InternalServerError',
      param: null,
      code: 500,
    };
    stream.event({ error });
    stream.done();
    stream.end();
  }),
  fielderror: afterHalf((stream) => {
    stream.send('error: {"code":500,"message":"Compute error.","type":"server_error"}\n\n');
    stream.done();
    stream.end();
  }),
  lateerror: lateError,
  eof: afterHalf((stream) => stream.end()),
  eofnodone: whole((stream, call) => {
    stream.finish(call.answer.finish);
    stream.end();
  }),
  reset: afterHalf((stream) => stream.reset()),
  stall: afterHalf(() => undefined),
  badjson: between((stream) => stream.send('data: {"choices":[{"delta":{"content":"lost\n\n')),
  nochoices: between((stream) => stream.event(stream.head)),
  nullcontent: between((stream) => {
    stream.delta({ role: 'assistant', content: null });
    stream.delta({});
  }),
  afterdone: whole((stream, call) => {
    stream.finish(call.answer.finish);
    stream.usage(call.answer.usage);
    stream.done();
    stream.send(stream.tokenFrame('AFTER THE END'));
    stream.end();
  }),
  doublefinish: whole((stream, call) => {
    stream.finish('stop');
    stream.send(stream.tokenFrame('AFTER THE FINISH'));
    stream.finish('length');
    stream.usage(call.answer.usage);
    stream.done();
    stream.end();
  }),
  negusage: withUsage({ prompt_tokens: -1e6, completion_tokens: -1e6, total_tokens: -2e6, cost: -5 }),
  nanusage: withUsage({ prompt_tokens: 'NaN', completion_tokens: null, total_tokens: [], cost: 'NaN' }),
  hugeusage: withUsage({ prompt_tokens: 1e300, completion_tokens: 1e300, total_tokens: 1e300, cost: 1e300 }),
  control: async (stream, call) => {
    if (await stream.pace(controlTokens(call), call.plan)) ending(stream, call);
  },
  hugeline: hugeLine,
  endless,
  hold,
};

/** Streams the answer in the call's mode; modes without an act of their own (crlf, nospace, slow) are `ok`. */
export async function streamAnswer(call: ChatCall, stream: ChatStream): Promise<void> {
  stream.open();
  const act = ACTS[call.plan.mode as StreamMode] ?? ok;
  await act(stream, call);
}
