import { v7 as uuid } from 'uuid';
import { featureTable } from '#features/credits/contract.ts';
import { checkShownPrice } from '#features/credits/service.server.ts';
import { hasRunWithKey } from '#features/generations/service.server.ts';
import type { ImageSize } from '#features/images/contract.ts';
import { startImageRun } from '#features/images/service.server.ts';
import { m } from '#messages';
import { database } from '#platform/database/database.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import type { StartedReply } from '../contract.ts';
import { ownSession } from '../store.server.ts';
import { type SendResult, sendStatement } from './message-store.server.ts';
import { type Exchange, isNewChat, startedReply, throwRefusal } from './start-reply.server.ts';

type DrawRequest = Exchange & { prompt: string; size: ImageSize };

export const cannotDrawFiles = () => new Problem('bad_request', m.chat_draw_files());

/** Images are stored in the person's library and made from text only. @throws Problem for anything else */
async function checkDrawRequest(exchange: DrawRequest): Promise<void> {
  const { actor, key, chatId, question, temporary, choice } = exchange;
  const session = temporary ? null : await ownSession(database(), actor.userId, chatId);
  if (temporary || session?.temporary) throw new Problem('conflict', m.chat_draw_temporary());
  if (question.attachmentIds.length > 0) throw cannotDrawFiles();
  if (exchange.compare || choice.web) throw new Problem('bad_request', m.request_field({ field: 'draw' }));
  const { price } = featureTable.image;
  const { price: shownPrice = price } = choice;
  if (shownPrice !== price && !(await hasRunWithKey({ actor, input: { key } })))
    await checkShownPrice(actor, { shownPrice, price });
}

/** Starts a run of the Image Generator whose images are the reply to a question. */
export async function drawReply(exchange: DrawRequest): Promise<StartedReply> {
  const { actor, key, fingerprint, chatId, question, prompt, size } = exchange;
  const { create = null, projectId = null, own = null } = exchange;
  await checkDrawRequest(exchange);
  const row = {
    ...{ userId: actor.userId, chatId, create, temporary: false, projectId, own, question },
    ...{ replyId: uuid(), model: undefined, compared: null, continues: null },
  };
  const started = await startImageRun<SendResult>({
    actor,
    input: {
      ...{ prompt, size, count: 1, key, fingerprintPrefix: fingerprint },
      startsChat: create !== null && isNewChat(chatId),
      write: (admission) => sendStatement(admission, row),
    },
  }).catch(throwRefusal);
  const { reply, ...rest } = startedReply(started);
  return { ...rest, reply: { ...reply, assistantName: null } };
}
