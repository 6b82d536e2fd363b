/** The answer in one piece ("stream": false) in each mode, where the mode has a meaning without a stream. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatCall } from './chat-call.ts';
import { breakOff } from './stream.ts';

const MEBIBYTE = 1 << 20;

interface Completion {
  choices?: unknown[];
  usage?: unknown;
  [field: string]: unknown;
}

function completion(call: ChatCall, text: string | null, finish: string, error?: unknown): Completion {
  return {
    id: call.id,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: call.model,
    provider: 'Stand-in',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null },
        finish_reason: finish,
        native_finish_reason: finish,
        ...(error ? { error } : {}),
      },
    ],
    usage: call.answer.usage,
  };
}

function bodyOf(call: ChatCall): Completion {
  const { text, finish, usage, tokens } = call.answer;
  const ok = completion(call, text, finish);
  switch (call.plan.mode) {
    case 'miderror':
    case 'lateerror': {
      const part = tokens.slice(0, Math.ceil(tokens.length / 2)).join('');
      return completion(call, part, 'error', { code: 502, message: 'Provider disconnected' });
    }
    case 'miderror2':
      return { error: { code: 502, message: 'Upstream died' } };
    case 'fielderror':
    case 'vllmerror':
      return {
        object: 'error',
        message: 'Engine loop died',
        type: 'InternalServerError',
        param: null,
        code: 500,
      };
    case 'nochoices':
      return { ...ok, choices: undefined };
    case 'nullcontent':
      return completion(call, null, finish);
    case 'nousage':
      return { ...ok, usage: undefined };
    case 'negusage':
      return { ...ok, usage: { ...usage, prompt_tokens: -1e6, completion_tokens: -1e6, cost: -5 } };
    case 'nanusage':
      return { ...ok, usage: { ...usage, prompt_tokens: 'NaN', completion_tokens: null, cost: 'NaN' } };
    case 'hugeusage':
      return { ...ok, usage: { ...usage, prompt_tokens: 1e300, completion_tokens: 1e300, cost: 1e300 } };
    case 'control':
      return completion(call, `${text} A\u0000B \ud800 \udc00x \u0007\u001b[31m`, finish);
    default:
      return ok;
  }
}

/** Writes `x` inside an open JSON string: 200 MiB, or for ever. */
async function flood(call: ChatCall, json: string): Promise<void> {
  const { res, plan } = call;
  const [before = ''] = json.split(JSON.stringify(call.answer.text).slice(0, -1));
  res.write(`${before}"`);
  const block = 'x'.repeat(MEBIBYTE);
  for (let sent = 0; !res.destroyed && (plan.mode === 'endless' || sent < 200); sent++) {
    if (res.write(block)) continue;
    await new Promise<void>((resolve) => {
      const go = () => {
        res.off('drain', go).off('close', go);
        resolve();
      };
      res.once('drain', go).once('close', go);
    });
  }
  res.end('"}}]}');
}

/** Waits as long as the answer would take to make, and sends it. */
export async function wholeAnswer(call: ChatCall): Promise<void> {
  const { res, plan, answer, entry } = call;
  const { mode } = plan;
  const perToken = plan.tokensPerSecond > 0 ? 1000 / plan.tokensPerSecond : 0;
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  await sleep(plan.firstTokenMs + answer.tokens.length * perToken, null, { signal: gone.signal }).catch(
    () => null,
  );
  if (res.destroyed) return;
  const body = bodyOf(call);
  const json = `${mode === 'comments' ? '\n\n\n' : ''}${JSON.stringify(body)}`;
  res.writeHead(200, { 'content-type': 'application/json', 'x-generation-id': call.id });
  if (mode === 'hugeline' || mode === 'endless') return flood(call, json);
  const cut =
    mode === 'eof' || mode === 'eofnodone' || mode === 'badjson' || mode === 'stall' || mode === 'reset';
  if (cut) {
    res.write(json.slice(0, Math.ceil(json.length / 2)));
    if (mode === 'reset') await breakOff(res, entry);
    else if (mode !== 'stall') res.end();
    return;
  }
  entry.view.detail.finishReason = answer.finish;
  if (body.choices) entry.sent(answer.text, answer.tokens.length);
  res.end(json);
}
