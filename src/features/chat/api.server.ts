import { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import { idempotencyKeyOf, startedResponse } from '#features/generations/service.server.ts';
import { withUpload } from '#platform/files/upload.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { contentDisposition, downloadHeaders } from '#platform/http/content-disposition.server.ts';
import { notFound, Problem, signInRequired } from '#platform/http/problem.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { pathParam, requireUser } from '#platform/http/request-context.server.ts';
import { sendFile } from '#platform/http/send-file.server.ts';
import { savedFileName } from '#shared/file-name.ts';
import { attachmentTexts } from './attachments/accepted-files.ts';
import {
  addAttachment,
  listAttachments,
  openAttachment,
  removeAttachment,
  withUploadSlot,
} from './attachments/attachments.server.ts';
import { downloadChat, downloadChats } from './chat-export.server.ts';
import { chooseComparedModel, chooseModel } from './chosen-model.server.ts';
import * as contract from './contract.ts';
import { forkChat } from './fork-chat.server.ts';
import { rateReply } from './messages/rate-reply.server.ts';
import { continueReply, regenerate, sendMessage } from './messages/send-message.server.ts';
import { chooseAssistant } from './own-assistants/own-assistants.server.ts';
import * as assistantContract from './own-assistants/own-assistants-contract.ts';
import {
  actOnSelection,
  changeChat,
  chooseBranch,
  createChat,
  deleteChat,
  listArchivedChats,
  listChats,
  listProjectChats,
  openChat,
  restoreChat,
} from './service.server.ts';
import { readWebSearch } from './web-search/read-web-search.server.ts';

export function chatApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  api.get('/api/chats', async (c) => {
    const { before, archived, project } = c.req.query();
    if (project !== undefined)
      return c.json(await listProjectChats({ actor: requireUser(c), input: { before, project } }));
    const list = archived === 'true' ? listArchivedChats : listChats;
    return c.json(await list({ actor: requireUser(c), input: { before } }));
  });
  api.post('/api/chats', async (c) => {
    const actor = requireUser(c);
    return c.json(await createChat({ actor, input: await readJson(c, contract.createChat) }), 201);
  });
  api.post('/api/chats/selection', async (c) => {
    const actor = requireUser(c);
    return c.json({
      chats: await actOnSelection({ actor, input: await readJson(c, contract.actOnSelection) }),
    });
  });
  api.post('/api/chats/fork', async (c) => {
    const actor = requireUser(c);
    return c.json(await forkChat({ actor, input: await readJson(c, contract.forkChat) }), 201);
  });
  api.get('/api/chats/export', async (c) => {
    const { ids = '', format = 'md' } = c.req.query();
    const actor = requireUser(c);
    const { name, type, content } = await downloadChats({ actor, input: { ids: ids.split(','), format } });
    return sendFile(c, downloadHeaders(name, type), Readable.from(content));
  });
  api.get('/api/chats/:id', async (c) => {
    const { at, before, after } = c.req.query();
    const view = await openChat({ actor: requireUser(c), input: { id: pathParam(c), at, before, after } });
    if (!view) throw notFound();
    return c.json(view);
  });
  api.patch('/api/chats/:id', async (c) => {
    const actor = requireUser(c);
    const change = await readJson(c, contract.changeChat);
    return c.json(await changeChat({ actor, input: { ...change, id: pathParam(c) } }));
  });
  api.delete('/api/chats/:id', async (c) => {
    await deleteChat({ actor: requireUser(c), input: { id: pathParam(c) } });
    return c.body(null, 204);
  });
  api.post('/api/chats/:id/messages', async (c) => {
    const actor = requireUser(c);
    const { by, ...body } = await readJson(c, contract.sendMessage);
    if (by !== undefined && by !== actor.userId) throw signInRequired();
    const key = idempotencyKeyOf(c);
    const started = await sendMessage({ actor, input: { ...body, chatId: pathParam(c), key } });
    return startedResponse(c, actor, started);
  });
  api.put('/api/chats/model', async (c) => {
    const actor = requireUser(c);
    const input = await readJson(c, contract.chooseModel);
    await ('compare' in input ? chooseComparedModel({ actor, input }) : chooseModel({ actor, input }));
    return c.body(null, 204);
  });
  api.put('/api/chats/assistant', async (c) => {
    await chooseAssistant({
      actor: requireUser(c),
      input: await readJson(c, assistantContract.chooseAssistant),
    });
    return c.body(null, 204);
  });
  api.put('/api/chats/rating', async (c) => {
    await rateReply({ actor: requireUser(c), input: await readJson(c, contract.rateReply) });
    return c.body(null, 204);
  });
  api.put('/api/chats/:id/branch', async (c) => {
    const actor = requireUser(c);
    const { messageId } = await readJson(c, contract.chooseBranch);
    return c.json(await chooseBranch({ actor, input: { id: pathParam(c), messageId } }));
  });
  api.post('/api/chats/:id/restore', async (c) =>
    c.json(await restoreChat({ actor: requireUser(c), input: { id: pathParam(c) } })),
  );
  for (const [name, start] of [
    ['regenerate', regenerate],
    ['continue', continueReply],
  ] as const) {
    api.post(`/api/chats/:id/messages/:messageId/${name}`, async (c) => {
      const actor = requireUser(c);
      const key = idempotencyKeyOf(c);
      const choice = await readJson(c, contract.anotherReply);
      const input = { chatId: pathParam(c), messageId: pathParam(c, 'messageId'), key, choice };
      return startedResponse(c, actor, await start({ actor, input }));
    });
  }
  api.get('/api/generations/:id/web', async (c) =>
    c.json(await readWebSearch({ actor: requireUser(c), input: { generationId: pathParam(c) } })),
  );
  api.get('/api/chats/:id/export', async (c) => {
    const actor = requireUser(c);
    const input = { id: pathParam(c), format: c.req.query('format') ?? 'md' };
    const { name, type, content } = await downloadChat({ actor, input });
    return sendFile(c, downloadHeaders(name, type), Readable.from(content));
  });
  api.post('/api/files', async (c) => {
    const actor = requireUser(c);
    return c.json(await withUploadSlot(actor, () => receiveFile(c, actor)), 201);
  });
  api.get('/api/files', async (c) => {
    const input = { ids: (c.req.query('ids') ?? '').split(',') };
    return c.json({ files: await listAttachments({ actor: requireUser(c), input }) });
  });
  api.get('/api/files/:id', async (c) => {
    const actor = requireUser(c);
    const file = await openAttachment({ actor, input: { id: c.req.param('id') } });
    return sendFile(c, fileHeaders(file), file.stream);
  });
  api.delete('/api/files/:id', async (c) => {
    await removeAttachment({ actor: requireUser(c), input: { id: c.req.param('id') } });
    return c.body(null, 204);
  });
  return api;
}

/** Reports an oversized request body with the error text for files. */
async function receiveFile(c: Context<AppEnv>, actor: UserActor): Promise<contract.Attachment> {
  const request = c.req.raw;
  const name = c.req.query('name') ?? '';
  let read = false;
  return withUpload(request, contract.attachmentLimits.size, (upload) => {
    read = true;
    return addAttachment({ actor, input: { name, upload, signal: request.signal } });
  }).catch((error: unknown) => {
    const tooLong = !read && error instanceof Problem && error.code === 'too_large';
    throw tooLong ? new Problem('too_large', attachmentTexts.tooLarge) : error;
  });
}

/** Images are shown inline, because they were re-encoded from pixels; documents can only be downloaded. */
function fileHeaders({
  kind,
  name,
  type,
  bytes,
}: Awaited<ReturnType<typeof openAttachment>>): Record<string, string> {
  return {
    'content-type': type,
    'content-length': String(bytes),
    'content-disposition': contentDisposition(
      kind === 'pdf' ? 'attachment' : 'inline',
      savedFileName(name, type),
    ),
  };
}
