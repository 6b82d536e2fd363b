import { v7 as uuid } from 'uuid';
import { featureTable } from '#features/credits/contract.ts';
import { checkToldPrice } from '#features/credits/service.server.ts';
import { hasRunWithKey } from '#features/generations/service.server.ts';
import type { ImageSize } from '#features/images/contract.ts';
import { startImageRun } from '#features/images/service.server.ts';
import { m } from '#messages';
import { database } from '#platform/database/database.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import type { StartedReply } from '../contract.ts';
import { ownSession } from '../store.server.ts';
import { type SendResult, sendStatement } from './message-store.server.ts';
import { asRefusal, isNewChat, type MessageAndReply, startedReply } from './start-reply.server.ts';

type DrawnExchange = MessageAndReply & { prompt: string; size: ImageSize };

export const drawnWithFiles = () => new Problem('bad_request', m.chat_draw_files());

/** Images are stored in the person's library and made from text only. @throws Problem for anything else */
async function checkDrawn(exchange: DrawnExchange): Promise<void> {
  const { actor, key, chatId, question, temporary, choice } = exchange;
  const session = temporary ? null : await ownSession(database(), actor.userId, chatId);
  if (temporary || session?.temporary) throw new Problem('conflict', m.chat_draw_temporary());
  if (question.attachmentIds.length > 0) throw drawnWithFiles();
  if (exchange.compare || choice.web) throw new Problem('bad_request', m.request_field({ field: 'draw' }));
  const { price } = featureTable.image;
  const { price: told = price } = choice;
  if (told !== price && !(await hasRunWithKey({ actor, input: { key } })))
    await checkToldPrice(actor, { told, price });
}

/** Starts a run of the Image Generator whose images are the reply to a question. */
export async function drawReply(exchange: DrawnExchange): Promise<StartedReply> {
  const { actor, key, bound, chatId, question, prompt, size } = exchange;
  const { create = null, projectId = null, own = null } = exchange;
  await checkDrawn(exchange);
  const row = {
    ...{ userId: actor.userId, chatId, create, temporary: false, projectId, own, question },
    ...{ replyId: uuid(), model: undefined, compared: null, continues: null },
  };
  const started = await startImageRun<SendResult>({
    actor,
    input: {
      ...{ prompt, size, count: 1, key, within: bound },
      startsChat: create !== null && isNewChat(chatId),
      write: (admission) => sendStatement(admission, row),
    },
  }).catch(asRefusal);
  const { reply, ...rest } = startedReply(started);
  return { ...rest, reply: { ...reply, assistantName: null } };
}
