import { type Context, Hono } from 'hono';
import { withUpload } from '../../../platform/files/upload.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { contentDisposition } from '../../../platform/http/disposition.server.ts';
import type { AppEnv } from '../../../platform/http/env.server.ts';
import { Problem, signInFirst } from '../../../platform/http/problem.server.ts';
import { savedFileName } from '../../../shared/file-name.ts';
import { sendFile } from '../../accounts/sessions/sending/service.server.ts';
import { type Attachment, attachmentLimits, attachmentTexts } from './contract.ts';
import { addAttachment, inUpload, openAttachment, removeAttachment } from './service.server.ts';

type Ctx = Context<AppEnv>;
type Opened = Awaited<ReturnType<typeof openAttachment>>;

function user(c: Ctx): UserActor {
  if (c.var.actor.kind !== 'user') throw signInFirst();
  return c.var.actor;
}

/** The body is the file; its headers are not asked what it is. @throws Problem too_large in the words for files. */
async function receive(c: Ctx, actor: UserActor): Promise<Attachment> {
  const request = c.req.raw;
  const name = c.req.query('name') ?? '';
  let read = false;
  return withUpload(request, attachmentLimits.size, (upload) => {
    read = true;
    return addAttachment({ actor, input: { name, upload, signal: request.signal } });
  }).catch((error: unknown) => {
    const tooLong = !read && error instanceof Problem && error.code === 'too_large';
    throw tooLong ? new Problem('too_large', attachmentTexts.tooLarge) : error;
  });
}

/** A picture is shown, as we made it from pixels; a document is only ever saved. */
function headersOf({ kind, name, type, bytes }: Opened): Record<string, string> {
  return {
    'content-type': type,
    'content-length': String(bytes),
    'content-disposition': contentDisposition(
      kind === 'pdf' ? 'attachment' : 'inline',
      savedFileName(name, type),
    ),
  };
}

/** `/api/files` and below. */
export function filesApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .post('/api/files', async (c) => {
      const actor = user(c);
      return c.json(await inUpload({ actor }, () => receive(c, actor)), 201);
    })
    .get('/api/files/:id', async (c) => {
      const actor = user(c);
      const file = await openAttachment({ actor, input: { id: c.req.param('id') } });
      return sendFile(c, actor, headersOf(file), file.stream);
    })
    .delete('/api/files/:id', async (c) => {
      await removeAttachment({ actor: user(c), input: { id: c.req.param('id') } });
      return c.body(null, 204);
    });
}
