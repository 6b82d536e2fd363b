import { pipeline } from 'node:stream/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { withUpload } from '../../platform/files/upload.server.ts';
import type { UserActor } from '../../platform/http/actor.server.ts';
import { readJson } from '../../platform/http/body.server.ts';
import { contentDisposition } from '../../platform/http/disposition.server.ts';
import type { AppEnv } from '../../platform/http/env.server.ts';
import { toProblem } from '../../platform/http/errors.server.ts';
import { Problem, signInFirst } from '../../platform/http/problem.server.ts';
import { log } from '../../platform/log/log.server.ts';
import { savedFileName } from '../../shared/file-name.ts';
import { whileSessionLives } from '../accounts/sessions/watch/service.server.ts';
import { idempotencyHeader } from '../generations/contract.ts';
import { startedAnswer } from '../generations/stream/service.server.ts';
import { startAnalysis } from './analysis/service.server.ts';
import {
  askQuestion,
  type DocumentView,
  documentLimits,
  documentTexts,
  passwordHeader,
  type ReadingLine,
} from './contract.ts';
import { exportFindings } from './export/service.server.ts';
import { startQuestion } from './question/service.server.ts';
import { addDocument, inDocumentUpload } from './reading/service.server.ts';
import {
  deleteDocument,
  listDocuments,
  openDocument,
  openDocumentFile,
  restoreDocument,
} from './service.server.ts';

type Ctx = Context<AppEnv>;

/** A reader that takes nothing for this long is cut. */
const IDLE_MS = 60_000;

function user(c: Ctx): UserActor {
  if (c.var.actor.kind !== 'user') throw signInFirst();
  return c.var.actor;
}

const id = (c: Ctx) => c.req.param('id') ?? '';
const key = (c: Ctx) => c.req.header(idempotencyHeader) ?? '';

/** The password that comes with a file; undefined for none. @throws Problem bad_request. */
function passwordOf(c: Ctx): string | undefined {
  const sent = c.req.header(passwordHeader);
  if (!sent) return undefined;
  try {
    const password = decodeURIComponent(sent);
    if (password.length <= documentLimits.password) return password;
  } catch {
    // Told below.
  }
  throw new Problem('bad_request', 'The password cannot be read.');
}

interface Hearing {
  /** The bytes are here and are what they should be; reading begins. */
  onBegin(): void;
  onPage(page: number, of: number): void;
}

/** The body is the file; its headers are not asked what it is. @throws Problem too_large in the words for files. */
function receive(c: Ctx, actor: UserActor, hearing: Hearing): Promise<DocumentView> {
  const request = c.req.raw;
  const name = c.req.query('name') ?? '';
  const password = passwordOf(c);
  let read = false;
  const upload = () =>
    withUpload(request, documentLimits.size, (file) => {
      read = true;
      hearing.onBegin();
      return addDocument({
        actor,
        input: { name, upload: file, signal: request.signal, password, onPage: hearing.onPage },
      });
    });
  return inDocumentUpload({ actor }, upload).catch((error: unknown) => {
    const tooLong = !read && error instanceof Problem && error.code === 'too_large';
    throw tooLong ? new Problem('too_large', documentTexts.tooLarge.text) : error;
  });
}

/** 201 with the document; or, where the client accepts it, lines that tell of each page as soon as all bytes are here. */
async function add(c: Ctx, actor: UserActor): Promise<Response> {
  if (!c.req.header('accept')?.includes('application/x-ndjson')) {
    const hearing = { onBegin: () => undefined, onPage: () => undefined };
    return c.json(await receive(c, actor, hearing), 201);
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, {
    highWaterMark: 64,
  });
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const tell = (line: ReadingLine) => {
    // For a reader that has left nothing is told any more.
    writer.write(encoder.encode(`${JSON.stringify(line)}\n`)).catch(() => undefined);
  };
  const begun = Promise.withResolvers<void>();
  const done = receive(c, actor, {
    onBegin: () => begun.resolve(),
    onPage: (page, of) => tell({ page, of }),
  });
  done
    .then((document) => tell({ document }))
    .catch((error: unknown) => {
      const { message, code } = toProblem(error, c.var.requestId, c.req.path);
      tell({ error: message, code });
    })
    .finally(() => writer.close().catch(() => undefined));
  await Promise.race([begun.promise, done]);
  return c.body(readable, 200, { 'content-type': 'application/x-ndjson' });
}

async function send(c: Ctx, actor: UserActor): Promise<Response> {
  const { name, bytes, stream } = await openDocumentFile({ actor, input: { id: id(c) } });
  const headers = {
    'content-type': 'application/pdf',
    'content-length': String(bytes),
    'content-disposition': contentDisposition('attachment', savedFileName(name, 'application/pdf')),
  };
  const response = c.env.outgoing;
  // For a client that has left no `close` comes any more.
  if (c.req.method === 'HEAD' || !response.socket || response.destroyed) {
    stream.destroy();
    return c.body(null, 200, headers);
  }
  response.writeHead(200, headers);
  const cut = () => response.destroy();
  const unwatch = whileSessionLives(actor.sessionId, cut);
  response.setTimeout(IDLE_MS, cut);
  void pipeline(stream, response)
    .catch((error: unknown) =>
      log.debug({ error, requestId: c.var.requestId }, 'a file was not read to its end'),
    )
    .finally(unwatch);
  return RESPONSE_ALREADY_SENT;
}

/** `/api/documents` and below. */
export function documentsApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>().basePath('/api/documents');
  api.get('/', async (c) => c.json(await listDocuments({ actor: user(c) })));
  api.post('/', async (c) => add(c, user(c)));
  api.get('/:id', async (c) => c.json(await openDocument({ actor: user(c), input: { id: id(c) } })));
  api.delete('/:id', async (c) => {
    await deleteDocument({ actor: user(c), input: { id: id(c) } });
    return c.body(null, 204);
  });
  api.post('/:id/restore', async (c) =>
    c.json(await restoreDocument({ actor: user(c), input: { id: id(c) } })),
  );
  api.get('/:id/file', async (c) => send(c, user(c)));
  api.get('/:id/export', async (c) => {
    const { name, type, bytes } = await exportFindings({
      actor: user(c),
      input: { id: id(c), format: c.req.query('format') },
    });
    const headers = { 'content-type': type, 'content-disposition': contentDisposition('attachment', name) };
    return c.body(new Uint8Array(bytes), 200, headers);
  });
  api.post('/:id/analysis', async (c) => {
    const actor = user(c);
    return startedAnswer(c, actor, await startAnalysis({ actor, input: { id: id(c), key: key(c) } }));
  });
  api.post('/:id/questions', async (c) => {
    const actor = user(c);
    const { question } = await readJson(c, askQuestion);
    return startedAnswer(
      c,
      actor,
      await startQuestion({ actor, input: { id: id(c), key: key(c), question } }),
    );
  });
  return api;
}
