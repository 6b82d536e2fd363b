import { v7 as uuid } from 'uuid';
import { formatCredits, messagePrice } from '#features/credits/contract.ts';
import { startTwoRuns } from '#features/generations/service.server.ts';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { chatModelOf } from '#shared/chat-models.ts';
import { replyModel } from '../chosen-model.server.ts';
import type { ComparedModel, StartedReply } from '../contract.ts';
import type { SendResult } from './message-store.server.ts';
import { type Exchange, replyRun, startedReply, throwRefusal } from './start-reply.server.ts';

/** Rewords a refusal for the pair of replies, because each admission only knows its own reply. */
function pairRefusal(problem: unknown, models: readonly string[], extraCredits: number): unknown {
  if (!(problem instanceof Problem)) return problem;
  const { code, retryAfter } = problem;
  if (code === 'too_many_running')
    return new Problem(code, m.chat_compare_running({ count: config().RUNNING_AT_ONCE }), {
      ...(retryAfter === undefined ? {} : { retryAfter }),
    });
  if (code !== 'credits_exhausted') return problem;
  const [first = 0, second = 0] = models.map((id) => messagePrice(chatModelOf(id)) + extraCredits);
  const prices = {
    first: formatCredits(first),
    second: formatCredits(second),
    both: formatCredits(first + second),
  };
  return new Problem(code, m.chat_compare_credits(prices));
}

/** Starts both replies. That of the chat's own model is stored second, so the chat continues from it by default. */
export async function startTwoReplies(exchange: Exchange, compare: ComparedModel): Promise<StartedReply> {
  const { actor, key, choice } = exchange;
  const ids = [uuid(), uuid()] as const;
  const own = await replyModel(actor, exchange);
  if (own === undefined) throw new Problem('model_gone', m.credits_model_gone());
  if (own === compare.model) throw new Problem('bad_request', m.chat_error_compare_same());
  const first = await replyRun(
    exchange,
    { ...choice, model: compare.model, price: compare.price },
    { key: `${key}+`, replyId: ids[0], beside: { id: ids[1], model: own }, isSecond: false },
  );
  const second = await replyRun(exchange, choice, {
    key,
    replyId: ids[1],
    beside: { id: ids[0], model: compare.model },
    isSecond: true,
  });
  const [other, main] = await startTwoRuns<SendResult>(actor, [first, second])
    .catch((problem: unknown) => {
      throw pairRefusal(problem, [own, compare.model], first.extraCredits ?? 0);
    })
    .catch(throwRefusal);
  const { chat, reply, generation } = startedReply(other);
  return { ...startedReply(main), chat, compared: { model: compare.model, reply, generation } };
}
