import { type Context, Hono } from 'hono';
import type { UserActor } from '../../platform/http/actor.server.ts';
import { readJson } from '../../platform/http/body.server.ts';
import type { AppEnv } from '../../platform/http/env.server.ts';
import { notFound, signInFirst } from '../../platform/http/problem.server.ts';
import { idempotencyHeader } from '../generations/contract.ts';
import { startedAnswer } from '../generations/stream/service.server.ts';
import * as contract from './contract.ts';
import { continueReply, regenerate, sendMessage } from './exchange/service.server.ts';
import { chatExportApi } from './export/api.server.ts';
import { searchApi } from './search/api.server.ts';
import {
  chooseBranch,
  createChat,
  deleteChat,
  listChats,
  openChat,
  renameChat,
  restoreChat,
} from './service.server.ts';

type Ctx = Context<AppEnv>;

function user(c: Ctx): UserActor {
  if (c.var.actor.kind !== 'user') throw signInFirst();
  return c.var.actor;
}

const id = (c: Ctx, name = 'id') => c.req.param(name) ?? '';

/** `/api/chats` and below, and the search through them. */
export function chatApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  api.route('/', searchApi());
  api.route('/', chatExportApi());
  api.get('/api/chats', async (c) =>
    c.json(await listChats({ actor: user(c), input: { before: c.req.query('before') } })),
  );
  api.post('/api/chats', async (c) => {
    const actor = user(c);
    return c.json(await createChat({ actor, input: await readJson(c, contract.createChat) }), 201);
  });
  api.get('/api/chats/:id', async (c) => {
    const { at, before, after } = c.req.query();
    const view = await openChat({ actor: user(c), input: { id: id(c), at, before, after } });
    if (!view) throw notFound();
    return c.json(view);
  });
  api.patch('/api/chats/:id', async (c) => {
    const actor = user(c);
    const { title } = await readJson(c, contract.renameChat);
    return c.json(await renameChat({ actor, input: { id: id(c), title } }));
  });
  api.delete('/api/chats/:id', async (c) => {
    await deleteChat({ actor: user(c), input: { id: id(c) } });
    return c.body(null, 204);
  });
  api.post('/api/chats/:id/messages', async (c) => {
    const actor = user(c);
    const { by, ...body } = await readJson(c, contract.sendMessage);
    if (by !== undefined && by !== actor.userId) throw signInFirst();
    const key = c.req.header(idempotencyHeader) ?? '';
    const started = await sendMessage({ actor, input: { ...body, chatId: id(c), key } });
    return startedAnswer(c, actor, started);
  });
  api.put('/api/chats/:id/branch', async (c) => {
    const actor = user(c);
    const { messageId } = await readJson(c, contract.chooseBranch);
    return c.json(await chooseBranch({ actor, input: { id: id(c), messageId } }));
  });
  api.post('/api/chats/:id/restore', async (c) =>
    c.json(await restoreChat({ actor: user(c), input: { id: id(c) } })),
  );
  for (const [name, start] of [
    ['regenerate', regenerate],
    ['continue', continueReply],
  ] as const) {
    api.post(`/api/chats/:id/messages/:messageId/${name}`, async (c) => {
      const actor = user(c);
      const key = c.req.header(idempotencyHeader) ?? '';
      const input = { chatId: id(c), messageId: id(c, 'messageId'), key };
      return startedAnswer(c, actor, await start({ actor, input }));
    });
  }
  return api;
}
