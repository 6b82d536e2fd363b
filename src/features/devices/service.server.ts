import { validate as isUuid } from 'uuid';
import { keyedHash } from '#features/accounts/service.server.ts';
import { recentChats, recentMessages } from '#features/chat/service.server.ts';
import { renderMessages } from '#features/shares/service.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { type DeviceChats, type KeptContent, keptLimits } from './contract.ts';

export { announceWaiting } from './notifications/notify-devices.server.ts';

/** Derived from the session, so that no other session can open what this one sealed. The server does not store it. */
const deriveSecret = (part: 'key' | 'name', sessionId: string) =>
  keyedHash('offline', `${part} ${sessionId}`).toString('base64url');

export async function deviceChats({ actor, input }: ActorInput<{ opened: string }>): Promise<DeviceChats> {
  const opened = input.opened.split(',', keptLimits.chats).filter((id) => isUuid(id));
  return {
    owner: actor.userId,
    key: deriveSecret('key', actor.sessionId),
    keyId: deriveSecret('name', actor.sessionId),
    chats: await recentChats({ actor, input: { opened, limit: keptLimits.chats } }),
  };
}

/** Rendered like shared pages: without scripts, and without markup from the text. */
export async function readKeptContent({ actor, input }: ActorInput<{ id: string }>): Promise<KeptContent> {
  await enforceLimit(`kept-chats:${actor.userId}`, { max: keptLimits.hourly, seconds: 3600 });
  const { messages: limit, chatBytes: bytes } = keptLimits;
  const recent = await recentMessages({ actor, input: { id: input.id, limit, bytes } });
  return { messages: await renderMessages(recent.messages), cut: recent.cut };
}
