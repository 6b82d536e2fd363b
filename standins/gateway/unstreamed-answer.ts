import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatCall } from './chat.ts';
import { drained, resetConnection } from './chat-stream.ts';
import { ENGINE_ERROR, HOSTILE_TEXT, isThinking, MEBIBYTES, UPSTREAM_ERROR, USAGES } from './fault-modes.ts';
import { thinkingFields, thinkingTokens, withTags } from './thinking.ts';

type Completion = Record<string, unknown>;

function messageOf({ plan: { mode, thought }, annotations }: ChatCall, content: string | null): object {
  const citations = annotations.length > 0 ? { annotations } : {};
  const message = { role: 'assistant', content, refusal: null, ...citations };
  if (!isThinking(mode)) return message;
  const thinking = thinkingTokens(thought).join('');
  return mode === 'thinktags' || mode === 'thinkopen'
    ? { ...message, content: withTags(mode, thinking) + content }
    : { ...message, ...thinkingFields(mode, thinking) };
}

function completion(call: ChatCall, text: string | null, error?: unknown): Completion {
  const { id, model, answer } = call;
  const finish = error ? 'error' : answer.finish;
  const message = messageOf(call, text);
  const choice = { index: 0, message, finish_reason: finish, native_finish_reason: finish };
  return {
    ...{ id, object: 'chat.completion', created: Math.floor(Date.now() / 1000), model, provider: 'Stand-in' },
    choices: [{ ...choice, ...(error ? { error } : {}) }],
    usage: answer.usage,
  };
}

function bodyOf(call: ChatCall): Completion {
  const { text, usage, tokens } = call.answer;
  const ok = completion(call, text);
  const { mode } = call.plan;
  switch (mode) {
    case 'miderror':
    case 'lateerror': {
      const part = tokens.slice(0, Math.ceil(tokens.length / 2)).join('');
      return completion(call, part, { code: 502, message: 'Provider disconnected' });
    }
    case 'miderror2':
      return { error: UPSTREAM_ERROR };
    case 'fielderror':
    case 'vllmerror':
      return ENGINE_ERROR;
    case 'nochoices':
      return { ...ok, choices: undefined };
    case 'nullcontent':
      return completion(call, null);
    case 'nousage':
      return { ...ok, usage: undefined };
    case 'negusage':
    case 'nanusage':
    case 'hugeusage':
      return { ...ok, usage: { ...usage, ...USAGES[mode] } };
    case 'control':
      return completion(call, `${text} ${HOSTILE_TEXT.join('')}`);
    default:
      return ok;
  }
}

/** Writes `x` inside an open JSON string: 200 MiB, or endlessly. */
async function flood({ res, plan, answer }: ChatCall, json: string): Promise<void> {
  const [before = ''] = json.split(JSON.stringify(answer.text).slice(0, -1));
  res.write(`${before}"`);
  const block = 'x'.repeat(1 << 20);
  for (let sent = 0; !res.destroyed && (plan.mode === 'endless' || sent < MEBIBYTES); sent++) {
    res.write(block);
    await drained(res);
  }
  res.end('"}}]}');
}

export async function waitUnlessClosed({ res }: Pick<ChatCall, 'res'>, ms: number): Promise<boolean> {
  const closed = new AbortController();
  const abort = () => closed.abort();
  res.once('close', abort);
  await sleep(ms, null, { signal: closed.signal }).catch(() => null);
  res.off('close', abort);
  return !res.destroyed;
}

export async function sendHalf({ res, plan, entry }: ChatCall, json: string): Promise<void> {
  res.write(json.slice(0, Math.ceil(json.length / 2)));
  if (plan.mode === 'reset') await resetConnection(res, entry);
  else if (plan.mode !== 'stall') res.end();
}

export async function sendUnstreamedAnswer(call: ChatCall): Promise<void> {
  const { res, plan, answer, entry } = call;
  const { mode } = plan;
  const perToken = plan.tokensPerSecond > 0 ? 1000 / plan.tokensPerSecond : 0;
  if (!(await waitUnlessClosed(call, plan.firstTokenMs + answer.tokens.length * perToken))) return;
  const body = bodyOf(call);
  const json = `${mode === 'comments' ? '\n\n\n' : ''}${JSON.stringify(body)}`;
  res.writeHead(200, { 'content-type': 'application/json', 'x-generation-id': call.id });
  if (mode === 'hugeline' || mode === 'endless') return flood(call, json);
  if (['eof', 'eofnodone', 'badjson', 'stall', 'reset'].includes(mode)) return sendHalf(call, json);
  entry.view.detail.finishReason = answer.finish;
  if (body.choices) entry.sent(answer.text, answer.tokens.length);
  res.end(json);
}
