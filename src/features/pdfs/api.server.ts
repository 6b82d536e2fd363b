import { type Context, Hono } from 'hono';
import { idempotencyKeyOf, startedResponse } from '#features/generations/service.server.ts';
import { m } from '#messages';
import { withUpload } from '#platform/files/upload.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { contentDisposition, downloadHeaders } from '#platform/http/content-disposition.server.ts';
import { toProblem } from '#platform/http/error-mapper.server.ts';
import { requestPaper } from '#platform/http/language.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { pathParam, requireUser } from '#platform/http/request-context.server.ts';
import { sendFile } from '#platform/http/send-file.server.ts';
import { savedFileName } from '#shared/file-name.ts';
import {
  askQuestion,
  type DocumentView,
  documentLimits,
  passwordHeader,
  type ReadingLine,
} from './contract.ts';
import { startDocumentRun } from './document-run.server.ts';
import { exportFindings } from './findings-export.server.ts';
import {
  addDocument,
  deleteDocument,
  listDocuments,
  openDocument,
  openDocumentFile,
  restoreDocument,
  withUploadSlot,
} from './service.server.ts';

type Ctx = Context<AppEnv>;

function requestPassword(c: Ctx): string | undefined {
  const encoded = c.req.header(passwordHeader);
  if (!encoded) return undefined;
  try {
    const password = decodeURIComponent(encoded);
    if (password.length <= documentLimits.password) return password;
  } catch {
    // Rejected below.
  }
  throw new Problem('bad_request', m.pdfs_password_unreadable());
}

interface UploadListener {
  onStart(): void;
  onPage(page: number, of: number): void;
}

/** Ignores the Content-Type header; the file's type is detected from its bytes. */
function receiveDocument(c: Ctx, actor: UserActor, listener: UploadListener): Promise<DocumentView> {
  const request = c.req.raw;
  const name = c.req.query('name') ?? '';
  const password = requestPassword(c);
  let uploaded = false;
  const upload = () =>
    withUpload(request, documentLimits.size, (file) => {
      uploaded = true;
      listener.onStart();
      return addDocument({
        actor,
        input: { name, upload: file, signal: request.signal, password, onPage: listener.onPage },
      });
    });
  return withUploadSlot(actor, upload).catch((error: unknown) => {
    const tooLong = !uploaded && error instanceof Problem && error.code === 'too_large';
    throw tooLong ? new Problem('too_large', m.pdfs_too_large()) : error;
  });
}

/**
 * Answers 201 with the document, or, if the client accepts it, a stream of `ReadingLine`s that starts after the upload.
 */
async function handleUpload(c: Ctx, actor: UserActor): Promise<Response> {
  if (!c.req.header('accept')?.includes('application/x-ndjson')) {
    const listener = { onStart: () => undefined, onPage: () => undefined };
    return c.json(await receiveDocument(c, actor, listener), 201);
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, {
    highWaterMark: 64,
  });
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const sendLine = (line: ReadingLine) => {
    // The client may have disconnected.
    writer.write(encoder.encode(`${JSON.stringify(line)}\n`)).catch(() => undefined);
  };
  const started = Promise.withResolvers<void>();
  const done = receiveDocument(c, actor, {
    onStart: () => started.resolve(),
    onPage: (page, of) => sendLine({ page, of }),
  });
  done
    .then((document) => sendLine({ document }))
    .catch((error: unknown) => {
      const { message, code } = toProblem(error, c.var.requestId, c.req.path);
      sendLine({ error: message, code });
    })
    .finally(() => writer.close().catch(() => undefined));
  await Promise.race([started.promise, done]);
  return c.body(readable, 200, { 'content-type': 'application/x-ndjson' });
}

async function sendPdf(c: Ctx): Promise<Response> {
  const { name, bytes, stream } = await openDocumentFile({
    actor: requireUser(c),
    input: { id: pathParam(c) },
  });
  const headers = {
    'content-type': 'application/pdf',
    'content-length': String(bytes),
    'content-disposition': contentDisposition('attachment', savedFileName(name, 'application/pdf')),
  };
  return sendFile(c, headers, stream);
}

export function documentsApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>().basePath('/api/documents');
  api.get('/', async (c) => c.json(await listDocuments({ actor: requireUser(c) })));
  api.post('/', async (c) => handleUpload(c, requireUser(c)));
  api.get('/:id', async (c) =>
    c.json(await openDocument({ actor: requireUser(c), input: { id: pathParam(c) } })),
  );
  api.delete('/:id', async (c) => {
    await deleteDocument({ actor: requireUser(c), input: { id: pathParam(c) } });
    return c.body(null, 204);
  });
  api.post('/:id/restore', async (c) =>
    c.json(await restoreDocument({ actor: requireUser(c), input: { id: pathParam(c) } })),
  );
  api.get('/:id/file', async (c) => sendPdf(c));
  api.get('/:id/export', async (c) => {
    const { format = 'md' } = c.req.query();
    const file = await exportFindings({
      actor: requireUser(c),
      input: { id: pathParam(c), format, paper: requestPaper(c) },
    });
    return c.body(file.content, 200, downloadHeaders(file.name, file.type));
  });
  const start = async (c: Ctx, question: string | null) => {
    const actor = requireUser(c);
    const input = { id: pathParam(c), key: idempotencyKeyOf(c), question };
    return startedResponse(c, actor, await startDocumentRun({ actor, input }));
  };
  api.post('/:id/analysis', async (c) => start(c, null));
  api.post('/:id/questions', async (c) => {
    requireUser(c);
    return start(c, (await readJson(c, askQuestion)).question);
  });
  return api;
}
