import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ChatView } from '#features/chat/contract.ts';
import { badBodies } from '../support/bad-bodies.ts';
import { readEvents, type Sent, send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { upload } from '../support/files.ts';
import { drawImages, quick } from '../support/images.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { createPrompt as writePrompt } from '../support/prompts.ts';
import { type SiteRoutes, siteRoutes } from '../support/raw.ts';
import { seedDocument } from '../support/seed-document.ts';
import { eventually, type TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { share } from '../support/shares.ts';
import { sampleOf, soak } from '../support/soak.ts';
import { seedWork } from '../support/works.ts';

/** Objects that the paths and bodies of requests name, all of one owner. */
interface Things {
  chat: string;
  reply: string;
  generation: string;
  session: string;
  file: string;
  document: string;
  prompt: string;
  images: string;
  picture: string;
  share: string;
  work: string;
  version: string;
  script: string;
  scriptVersion: string;
  proposal: string;
}

interface Row {
  /** Status for: a guest, another person, the owner on the free plan, the owner on Pro. */
  answers: [number, number, number, number];
  body?: (things: Things) => unknown;
  headers?: () => Record<string, string>;
}

const webhook = '/api/webhooks/creem';
const oneClick = '/api/newsletter/unsubscribe';
const key = () => ({ 'idempotency-key': randomUUID() });
const open = (status: number): Row => ({ answers: [status, status, status, status] });
/** The path names no object, so another person sees their own data. */
const ownView: Row = { answers: [401, 200, 200, 200] };
const ownObject: Row = { answers: [401, 404, 200, 200] };

/**
 * Who may do what, for every route of the site, in the order in which the requests are sent. A test fails for a route
 * that is missing here.
 */
const api: Record<string, Row> = {
  'GET /healthz': open(200),
  'GET /readyz': open(200),
  'GET /version': open(200),
  'GET /metrics': open(200),
  // Only for requests signed with AUTH_SECRET: tests/http/doctor-findings.test.ts.
  'GET /api/doctor/request': open(404),
  'GET /api/doctor/stream': open(404),
  'POST /api/doctor/upload': open(404),
  'GET /api/me': ownView,
  'GET /api/me/avatar': { answers: [401, 404, 404, 404] },
  'GET /api/me/export': ownView,
  'GET /api/credits': ownView,
  'GET /api/me/ledger': ownView,
  'GET /api/me/ledger.csv': ownView,
  'GET /api/me/usage': ownView,
  'GET /api/me/sessions': ownView,
  'GET /api/me/instructions': ownView,
  'GET /api/me/memory': ownView,
  'PUT /api/me/memory': { ...ownView, body: () => ({ enabled: true }) },
  'POST /api/me/memory': { answers: [401, 201, 201, 201], body: () => ({ text: 'A note' }) },
  // The note does not exist. Other people's notes: memory.test.ts.
  'PATCH /api/me/memory/:id': { answers: [401, 404, 404, 404], body: () => ({ text: 'A note' }) },
  'DELETE /api/me/memory/:id': { answers: [401, 404, 404, 404] },
  'GET /api/devices/chats': ownView,
  'GET /api/devices/chats/:id': ownObject,
  'GET /api/devices/notifications': ownView,
  // The address is no push service. Valid subscriptions: notifications.test.ts.
  'PUT /api/devices/notifications': {
    answers: [401, 400, 400, 400],
    body: () => ({ endpoint: 'https://example.com', keys: { p256dh: '', auth: '' } }),
  },
  'DELETE /api/devices/notifications': { answers: [401, 204, 204, 204] },
  'GET /api/me/api-keys': ownView,
  'POST /api/me/api-keys': {
    answers: [401, 201, 201, 201],
    body: () => ({ name: 'A program', scopes: ['chat'] }),
  },
  // The key does not exist. Other people's keys: api-keys.test.ts.
  'PATCH /api/me/api-keys/:id': { answers: [401, 404, 404, 404], body: () => ({ name: 'Mine' }) },
  'DELETE /api/me/api-keys/:id': { answers: [401, 404, 404, 404] },
  'PUT /api/me/instructions': {
    ...ownView,
    body: () => ({ about: 'A baker', answers: '', enabled: true }),
  },
  // Only with an API key; the session does not matter: openai.test.ts.
  'GET /v1/models': open(401),
  'GET /v1/models/:id{.+}': open(401),
  'POST /v1/chat/completions': { ...open(401), body: () => ({ model: 'x', messages: [] }) },
  'POST /v1/images/generations': { ...open(401), body: () => ({ prompt: 'x' }) },
  // Only through a signed link.
  'GET /v1/images/files/:id': open(404),
  'GET /api/subscription': ownView,
  'POST /api/subscription/refresh': ownView,
  'GET /api/invoices': ownView,
  'POST /api/checkouts': { ...ownView, body: () => ({ plan: 'yearly' }) },
  // None of them has bought anything. People who have: plan-changes.test.ts.
  'POST /api/subscription/cancel': { answers: [401, 404, 404, 404], body: () => ({ id: randomUUID() }) },
  'POST /api/subscription/resume': { answers: [401, 404, 404, 404], body: () => ({ id: randomUUID() }) },
  'POST /api/subscription/refund': { answers: [401, 404, 404, 404], body: () => ({ id: randomUUID() }) },
  'POST /api/subscription/change': {
    answers: [401, 404, 404, 404],
    body: () => ({ id: randomUUID(), plan: 'yearly' }),
  },
  'POST /api/billing-portal': { answers: [401, 409, 409, 409] },
  // Only with the provider's signature, which none of these requests has.
  [`POST ${webhook}`]: { answers: [401, 401, 401, 401], body: () => ({}) },
  'GET /api/chats': ownView,
  'GET /api/chats/:id': ownObject,
  'GET /api/imports': ownView,
  'POST /api/imports': { answers: [401, 201, 201, 201], body: () => ({ name: 'a.json', bytes: 2 }) },
  // The import does not exist. Other people's imports: imports.test.ts.
  'PUT /api/imports/:id/parts/:part': { answers: [401, 404, 404, 404] },
  'POST /api/imports/:id/start': { answers: [401, 404, 404, 404] },
  'DELETE /api/imports/:id': { answers: [401, 404, 404, 404] },
  // The shared page is of a reply and has no images. Pages of images: shared-images.test.ts.
  'GET /share/:id/images/:at': open(404),
  'GET /api/shares': ownView,
  // No chat is named. Other people's chats: shares.test.ts.
  'GET /api/shares/source': { answers: [401, 404, 404, 404] },
  'POST /api/shares': { answers: [401, 404, 201, 201], body: ({ chat }) => ({ chatId: chat }) },
  'PATCH /api/shares/:id': { ...ownObject, body: () => ({ showName: false }) },
  'POST /api/shares/:id/snapshot': ownObject,
  'DELETE /api/shares/:id': { answers: [401, 404, 204, 204] },
  'GET /api/generations/:id': ownObject,
  'GET /api/generations/:id/events': ownObject,
  'GET /api/generations/:id/thinking': ownObject,
  // The web was not searched for this reply.
  'GET /api/generations/:id/web': { answers: [401, 404, 404, 404] },
  'GET /api/auth/:provider': open(302),
  'GET /api/auth/:provider/callback': open(303),
  'POST /api/auth/:provider': { ...open(200), body: () => ({ next: '/chat' }) },
  'POST /api/csp-reports': { answers: [204, 204, 204, 204], body: () => ({ 'csp-report': {} }) },
  'POST /api/events': { ...open(204), body: () => ({ path: '/', width: 'wide' }) },
  'POST /api/chats': { answers: [401, 201, 201, 201], body: () => ({}) },
  'POST /api/chats/:id/messages': {
    answers: [401, 404, 202, 202],
    body: () => ({ text: 'again [[tps:0]] [[first:0]]', create: true }),
    headers: key,
  },
  'POST /api/chats/:id/messages/:messageId/regenerate': {
    answers: [401, 404, 202, 202],
    body: () => ({}),
    headers: key,
  },
  // A reply that is done cannot be continued.
  'POST /api/chats/:id/messages/:messageId/continue': {
    answers: [401, 404, 409, 409],
    body: () => ({}),
    headers: key,
  },
  'GET /api/chats/:id/export': ownObject,
  // No chat is named.
  'GET /api/chats/export': { answers: [401, 404, 404, 404] },
  'POST /api/chats/selection': { ...ownObject, body: ({ chat }) => ({ ids: [chat], act: 'unarchive' }) },
  'GET /api/projects': ownView,
  'POST /api/projects': { answers: [401, 201, 201, 201], body: () => ({ name: 'A project' }) },
  // The project does not exist. Other people's projects: projects.test.ts.
  'GET /api/projects/:id': { answers: [401, 404, 404, 404] },
  'PATCH /api/projects/:id': { answers: [401, 404, 404, 404], body: () => ({ name: 'Mine' }) },
  'DELETE /api/projects/:id': { answers: [401, 404, 404, 404] },
  'POST /api/projects/:id/restore': { answers: [401, 404, 404, 404] },
  'GET /api/assistants': ownView,
  'POST /api/assistants': { answers: [401, 201, 201, 201], body: () => ({ name: 'An assistant' }) },
  // The assistant does not exist. Other people's assistants: own-assistants.test.ts.
  'GET /api/assistants/:id': { answers: [401, 404, 404, 404] },
  'PATCH /api/assistants/:id': { answers: [401, 404, 404, 404], body: () => ({ name: 'Mine' }) },
  'DELETE /api/assistants/:id': { answers: [401, 404, 404, 404] },
  'POST /api/assistants/:id/restore': { answers: [401, 404, 404, 404] },
  'PUT /api/assistants/:id/files/:fileId': { answers: [401, 404, 404, 404] },
  'DELETE /api/assistants/:id/files/:fileId': { answers: [401, 404, 404, 404] },
  'PUT /api/chats/assistant': {
    answers: [401, 404, 204, 204],
    body: ({ chat }) => ({ chatId: chat, assistant: 'general' }),
  },
  'PUT /api/projects/:id/files/:fileId': { answers: [401, 404, 404, 404] },
  'DELETE /api/projects/:id/files/:fileId': { answers: [401, 404, 404, 404] },
  'POST /api/chats/fork': {
    answers: [401, 404, 201, 201],
    body: ({ reply }) => ({ messageId: reply, id: randomUUID() }),
  },
  'GET /api/library': ownView,
  // Another person's item is refused like a missing one: library-selection.test.ts.
  'POST /api/library/selection': {
    ...ownView,
    body: ({ chat }) => ({ act: 'restore', items: [{ kind: 'chat', id: chat }] }),
  },
  // The tag does not exist. Other people's tags: library-tags.test.ts.
  'POST /api/library/selection/tags': {
    answers: [401, 404, 404, 404],
    body: ({ chat }) => ({ items: [{ kind: 'chat', id: chat }], add: [randomUUID()], remove: [] }),
  },
  'GET /api/library/tags': ownView,
  'POST /api/library/tags': { answers: [401, 201, 201, 201], body: () => ({ name: randomUUID() }) },
  'PATCH /api/library/tags/:id': { answers: [401, 404, 404, 404], body: () => ({ name: 'Mine' }) },
  'DELETE /api/library/tags/:id': { answers: [401, 404, 404, 404] },
  // No item is named.
  'GET /api/library/export': { answers: [401, 400, 400, 400] },
  'GET /api/search': ownView,
  'PUT /api/chats/:id/branch': { ...ownObject, body: ({ reply }) => ({ messageId: reply }) },
  'PUT /api/chats/rating': {
    answers: [401, 404, 204, 204],
    body: ({ reply }) => ({ messageId: reply, rating: { good: true, reason: null } }),
  },
  'PUT /api/chats/model': {
    answers: [401, 404, 204, 204],
    body: ({ chat }) => ({ model: null, chatId: chat }),
  },
  'POST /api/generations/:id/stop': { answers: [401, 404, 202, 202] },
  'PATCH /api/chats/:id': { ...ownObject, body: () => ({ title: 'Mine now' }) },
  'DELETE /api/chats/:id': { answers: [401, 404, 204, 204] },
  'POST /api/chats/:id/restore': ownObject,
  // The body names no language.
  'POST /api/language': open(400),
  'PATCH /api/me': { answers: [401, 200, 200, 200], body: () => ({ name: 'Somebody' }) },
  'PUT /api/me/avatar': { answers: [401, 415, 415, 415] },
  'DELETE /api/me/avatar': { answers: [401, 204, 204, 204] },
  'DELETE /api/me/identities/:provider': { answers: [401, 404, 404, 404] },
  // The file is empty.
  'POST /api/files': { answers: [401, 400, 400, 400] },
  // No dictation model is configured here.
  'POST /api/dictations': { answers: [401, 403, 403, 403] },
  // No file is named. Other people's files: library-files.test.ts.
  'GET /api/files': { answers: [401, 404, 404, 404] },
  'GET /api/files/:id': ownObject,
  'DELETE /api/files/:id': { answers: [401, 404, 204, 204] },
  'GET /api/images': ownView,
  // The prompt is empty.
  'POST /api/images': { answers: [401, 400, 400, 400], body: () => ({ prompt: '' }), headers: key },
  'GET /api/images/:id': ownObject,
  'GET /api/images/pictures/:id': ownObject,
  'DELETE /api/images/pictures/:id': { answers: [401, 404, 204, 204] },
  'POST /api/images/pictures/:id/restore': ownObject,
  'DELETE /api/images/:id': { answers: [401, 404, 204, 204] },
  'POST /api/images/:id/restore': ownObject,
  'GET /api/works': ownView,
  'GET /api/works/:id': ownObject,
  'PATCH /api/works/:id': { ...ownObject, body: () => ({ title: 'Mine now' }) },
  'DELETE /api/works/:id': { answers: [401, 404, 204, 204] },
  'POST /api/works/:id/restore': ownObject,
  // The owner's version was not edited by hand.
  'PUT /api/works/:id/versions/:versionId': {
    answers: [401, 404, 409, 409],
    body: () => ({ content: 'changed words', edition: 1 }),
  },
  'POST /api/works/:id/versions/:versionId/restore': ownObject,
  'POST /api/works/:id/proposals/:proposalId': { ...ownObject, body: () => ({ decision: 'discarded' }) },
  'GET /api/documents': ownView,
  // Only Pro has the tool; there the file is empty.
  'POST /api/documents': { answers: [401, 403, 403, 415] },
  'GET /api/documents/:id': ownObject,
  'GET /api/documents/:id/file': ownObject,
  // Nothing has been analyzed yet.
  'GET /api/documents/:id/export': { answers: [401, 404, 404, 404] },
  'POST /api/documents/:id/restore': { answers: [401, 404, 404, 404] },
  'POST /api/documents/:id/analysis': { answers: [401, 404, 403, 202], headers: key },
  'POST /api/documents/:id/questions': {
    answers: [401, 404, 403, 202],
    body: () => ({ question: 'What’s it about?' }),
    headers: key,
  },
  'DELETE /api/documents/:id': { answers: [401, 404, 204, 204] },
  'POST /api/scripts': {
    answers: [401, 403, 403, 202],
    body: () => ({ scene: 'A door opens. [[tps:0]] [[first:0]]', style: 'drama' }),
    headers: key,
  },
  'POST /api/scripts/:id/rewrites': {
    answers: [401, 404, 403, 202],
    body: ({ scriptVersion }) => ({
      versionId: scriptVersion,
      scene: 0,
      instruction: 'Shorter [[tps:0]] [[first:0]]',
    }),
    headers: key,
  },
  'GET /api/scripts/:id/export': ownObject,
  // The prompt is blank.
  'POST /api/write': { answers: [401, 400, 400, 400], body: () => ({ prompt: ' ' }) },
  'POST /api/write/texts': {
    answers: [401, 201, 201, 201],
    body: () => ({ id: randomUUID(), content: 'Words of a reply.' }),
  },
  // A text that is done cannot be continued.
  'POST /api/write/:id/continue': {
    answers: [401, 404, 409, 409],
    body: ({ version }) => ({ versionId: version }),
    headers: key,
  },
  'POST /api/write/:id/edits': {
    answers: [401, 404, 409, 409],
    body: ({ version }) => ({ versionId: version, from: 0, text: 'not there', action: 'fix' }),
    headers: key,
  },
  'GET /api/write/:id/export': ownObject,
  'GET /api/prompts': open(200),
  'POST /api/prompts': {
    answers: [401, 201, 201, 201],
    body: () => ({ title: 'A prompt', content: 'Twenty characters are enough.', category: 'writing' }),
  },
  'GET /api/prompts/:id': { answers: [404, 404, 200, 200] },
  'PATCH /api/prompts/:id': {
    ...ownObject,
    body: () => ({ title: 'Mine now', content: 'Twenty characters are enough.', category: 'image' }),
  },
  'POST /api/prompts/:id/submission': ownObject,
  'DELETE /api/prompts/:id/submission': ownObject,
  // An unpublished prompt cannot be liked or reported.
  'POST /api/prompts/:id/like': { answers: [401, 404, 404, 404] },
  'DELETE /api/prompts/:id/like': { answers: [401, 404, 404, 404] },
  // Owners can use their unpublished prompt, but the use is not counted.
  'POST /api/prompts/:id/uses': { answers: [401, 404, 204, 204] },
  'PUT /api/prompts/:id/rating': { body: () => ({ stars: 5 }), answers: [401, 404, 404, 404] },
  'DELETE /api/prompts/:id/rating': { answers: [401, 404, 404, 404] },
  'POST /api/prompts/:id/report': { answers: [401, 404, 404, 404], body: () => ({ reason: 'x' }) },
  'DELETE /api/prompts/:id': { answers: [401, 404, 204, 204] },
  'POST /api/prompts/:id/restore': ownObject,
  'GET /tools/prompts/:slug/card.png': open(200),
  'GET /blog/rss.xml': open(200),
  'GET /blog/atom.xml': open(200),
  'GET /blog/:slug/card.png': open(200),
  'GET /cards/:name': open(200),
  // The site has its default colors, so there are no recolored files.
  'GET /brand/:name': open(404),
  'GET /preview-frame': open(200),
  'GET /sitemap.xml': open(200),
  'GET /.well-known/security.txt': open(200),
  'GET /robots.txt': open(200),
  'GET /site.webmanifest': open(200),
  'GET /service-worker.js': open(200),
  'GET /offline': open(200),
  // The confirmation must be the account's own address.
  'DELETE /api/me': { answers: [401, 400, 400, 400], body: () => ({ confirm: 'somebody@example.com' }) },
  'DELETE /api/me/sessions/:id': { answers: [401, 404, 204, 204] },
  'DELETE /api/me/sessions': { answers: [401, 204, 204, 204] },
  'POST /api/sign-in/email': { ...open(200), body: () => ({ email: `r-${randomUUID()}@example.com` }) },
  'POST /api/sign-in/code': {
    ...open(400),
    body: () => ({ email: `r-${randomUUID()}@example.com`, code: '000000' }),
  },
  'POST /api/newsletter': { ...open(200), body: () => ({ email: `r-${randomUUID()}@example.com` }) },
  // For mail servers, which prove themselves with a token; these requests have none.
  [`POST ${oneClick}`]: open(400),
  [`GET ${oneClick}`]: open(302),
  'POST /api/sign-out': open(204),
};

const pages: Record<string, [number, number, number, number]> = {
  '/': [200, 200, 200, 200],
  '/chat/:id?': [302, 404, 200, 200],
  '/tools/script/:id?': [302, 404, 200, 200],
  '/restore': [410, 410, 410, 410],
  '/tools/pdf/:id?': [302, 404, 200, 200],
  '/settings': [302, 200, 200, 200],
  '/share/:id': open(200).answers,
  '/library': [302, 200, 200, 200],
  '/dashboard': [200, 200, 200, 200],
  '/tools/writer/:id?': [302, 404, 200, 200],
  '/tools/prompts': [200, 200, 200, 200],
  '/tools/prompts/:slug': [404, 404, 200, 200],
  '/tools/image/:id?': [302, 404, 200, 200],
  '/sign-in': [200, 302, 302, 302],
  '/sign-in/confirm': [410, 410, 410, 410],
  '/auth/callback': [200, 200, 200, 200],
  '/error': [200, 200, 200, 200],
  '/blog': [200, 200, 200, 200],
  '/blog/:slug': [200, 200, 200, 200],
  '/newsletter': [200, 200, 200, 200],
  '/newsletter/confirm': [410, 410, 410, 410],
  '/newsletter/unsubscribe': [404, 404, 404, 404],
  '/tools': [200, 200, 200, 200],
  '/use-cases': [200, 200, 200, 200],
  '/about': [200, 200, 200, 200],
  '/sitemap': [200, 200, 200, 200],
  '/pricing': [200, 200, 200, 200],
  '/contact': [200, 200, 200, 200],
  '/privacy': [200, 200, 200, 200],
  '/terms': [200, 200, 200, 200],
  '/cookies': [200, 200, 200, 200],
  '/*': [404, 404, 404, 404],
};

interface Owner extends Things {
  person: Person;
  sent: Sent;
  word: string;
}

async function makeOwner(server: TestServer, plan: 'free' | 'pro'): Promise<Owner> {
  const person = await createPerson(server, { plan });
  const word = uniqueWord();
  const sent = await send(person, `${word} [[tps:0]] [[first:0]]`);
  await waitForEnd(person, sent.body.generation.id);
  await allEnded(server, sent.chatId);
  const session = randomUUID();
  await server.database.query(
    `insert into sessions (id, token_hash, user_id, expires_at)
     values ($1::uuid, sha256($1::uuid::text::bytea), $2, app_now() + interval '1 day')`,
    [session, person.id],
  );
  const picture = sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } });
  const { body: file } = await upload(server, person, await picture.png().toBuffer());
  const script = await seedWork(server, person, {
    feature: 'script',
    texts: ['INT. ROOM - DAY\n\nA door.\n\nMARA\nCome in.\n'],
  });
  const images = await drawImages(person, { prompt: `${word} ${quick}`, size: '512x512' });
  return {
    person,
    sent,
    word,
    script: script.work,
    scriptVersion: script.version,
    chat: sent.chatId,
    reply: sent.body.reply.id,
    generation: sent.body.generation.id,
    session,
    file: file.id,
    document: await seedDocument(server, person),
    share: (await share(person, { messageId: sent.body.reply.id })).body.id,
    prompt: (await writePrompt(person)).id,
    images: images.id,
    picture: images.pictures[0]?.id ?? '',
    ...(await seedWork(server, person, { proposedBy: sent.body.generation.id })),
  };
}

/** Waits until the chat has its title, which is made automatically after the first reply, and no run is open. */
async function allEnded({ database }: TestServer, chat: string): Promise<void> {
  await eventually(async () => {
    const { rows } = await database.query(
      `select 1 from chat_sessions where id = $1 and title_source = 'model'
        and not exists (select 1 from generations where finished_at is null)`,
      [chat],
    );
    return rows.length === 1;
  });
}

function pathFor(pattern: string, things: Things): string {
  return pattern
    .replace('/chats/:id', `/chats/${things.chat}`)
    .replace('/chat/:id?', `/chat/${things.chat}`)
    .replace(':messageId', things.reply)
    .replace('/generations/:id', `/generations/${things.generation}`)
    .replace(/^\/api\/works$/, '/api/works?feature=writer')
    .replace('/scripts/:id', `/scripts/${things.script}`)
    .replace('/tools/script/:id?', `/tools/script/${things.script}`)
    .replace('/works/:id', `/works/${things.work}`)
    .replace(/\/(write|writer)\/:id\??/, `/$1/${things.work}`)
    .replace(':versionId', things.version)
    .replace(':proposalId', things.proposal)
    .replace('/documents/:id', `/documents/${things.document}`)
    .replace('/tools/pdf/:id?', `/tools/pdf/${things.document}`)
    .replace('/cards/:name', '/cards/tools.png')
    .replace('/blog/:slug', '/blog/what-is-gpt-5')
    .replace('/prompts/:slug/card.png', '/prompts/review-a-diff/card.png')
    .replace('/prompts/:slug', `/prompts/${things.prompt}`)
    .replace('/prompts/:id', `/prompts/${things.prompt}`)
    .replace('/images/pictures/:id', `/images/pictures/${things.picture}`)
    .replace('/images/:id', `/images/${things.images}`)
    .replace('/tools/image/:id?', `/tools/image/${things.images}`)
    .replace('/files/:id', `/files/${things.file}`)
    .replace('/shares/:id', `/shares/${things.share}`)
    .replace('/share/:id', `/share/${things.share}`)
    .replace('/sessions/:id', `/sessions/${things.session}`)
    .replace('/auth/:provider', '/auth/google')
    .replace('/models/:id{.+}', '/models/x')
    .replace('/identities/:provider', '/identities/google')
    .replace('/*', '/no-such-page');
}

let server: TestServer;
let routes: SiteRoutes;
let owners: { free: Owner; pro: Owner };
let other: Person;
const guest = () => client(server);

beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  const [free, pro] = [await makeOwner(server, 'free'), await makeOwner(server, 'pro')];
  owners = { free, pro };
  other = await createPerson(server);
  routes = await siteRoutes();
});
afterAll(() => server.stop());

test('every route of the site is in the table, and every row is a route', () => {
  expect(Object.keys(api).sort()).toEqual(routes.api);
  expect(Object.keys(pages).sort()).toEqual(routes.pages);
});

/** Every route that changes data, with its path for an owner's objects. */
const changing = (owner = owners.free) =>
  Object.entries(api)
    .map(([route, row]) => ({ row, method: route.split(' ')[0] ?? '', path: route.split(' ')[1] ?? '' }))
    .filter(({ method }) => method !== 'GET')
    .map(({ row, method, path }) => ({ row, method, path: pathFor(path, owner) }));

describe('a request from another site', () => {
  const shapes: Array<[string, string]> = [
    ['application/x-www-form-urlencoded', 'text=x&email=a%40example.com'],
    ['text/plain', '{"text":"x"}'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="text"\r\n\r\nx\r\n--x--',
    ],
    ['application/json', '{"text":"x"}'],
  ];
  const origins: Array<Record<string, string>> = [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: 'http://localhost.evil.test' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    {},
  ];

  test('changes nothing on any route, in any form', async () => {
    const before = await stateOf(server);
    const tries = [
      ...changing(),
      ...Object.keys(pages).map((path) => ({ method: 'POST', path: pathFor(path, owners.free) })),
    ].flatMap(({ method, path }, row) =>
      origins.flatMap((headers, column) =>
        shapes
          // Every route meets every origin and every body type; only the soak sends each type from each origin.
          .filter((_, at) => soak || (row + column) % shapes.length === at)
          .map(([type, body]) => ({ method, path, headers, type, body })),
      ),
    );
    for (const { method, path, headers, type, body } of tries) {
      const response = await fetch(server.url + path, {
        method,
        redirect: 'manual',
        headers: { cookie: owners.free.person.cookie, 'content-type': type, ...key(), ...headers },
        body,
      });
      // Another site's request gets in only with a signature, an API key, or a mail's token with its fixed words.
      const refused = path === webhook || path.startsWith('/v1/') ? 401 : path === oneClick ? 400 : 403;
      expect(response.status, `${method} ${path} as ${type} from ${JSON.stringify(headers)}`).toBe(refused);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      await response.arrayBuffer();
    }
    expect(await stateOf(server)).toEqual(before);
    // Sends thousands of requests one after the other.
  }, 120_000);

  test('is refused from our own pages too unless it is JSON, or a form where a page accepts one', async () => {
    for (const { method, path, row } of changing()) {
      if (!row.body || path === '/api/csp-reports' || path === webhook || path.startsWith('/v1/')) continue;
      for (const [type, body] of shapes.slice(0, 3)) {
        const response = await fetch(server.url + path, {
          method,
          headers: { cookie: other.cookie, origin: server.url, 'content-type': type, ...key() },
          body,
        });
        expect(response.status, `${method} ${path} as ${type}`).toBe(415);
      }
    }
    for (const path of ['/sign-in', '/sign-in/confirm', '/newsletter', '/newsletter/confirm']) {
      for (const [type, body] of shapes.slice(1)) {
        const headers = { origin: server.url, 'content-type': type };
        expect((await fetch(server.url + path, { method: 'POST', headers, body })).status).toBe(415);
      }
    }
  });

  test('gets no permission to read, even after a preflight', async () => {
    const headers = { origin: 'https://evil.test', cookie: owners.free.person.cookie };
    const preflightHeaders = { ...headers, 'access-control-request-method': 'POST' };
    for (const route of sampleOf(routes.api)) {
      const [method = '', path = ''] = route.split(' ');
      const url = server.url + pathFor(path, owners.free);
      const answers = [await fetch(url, { method: 'OPTIONS', headers: preflightHeaders })];
      // One middleware answers for all routes, and some of them draw or pack for a second.
      if (method === 'GET' && (soak || path.startsWith('/api/me')))
        answers.push(await fetch(url, { headers, redirect: 'manual' }));
      for (const answer of answers) {
        const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
        expect(names, route).toEqual([]);
        await answer.arrayBuffer();
      }
    }
  });
});

/** Everything that another person's request could have changed. */
async function stateOf({ database }: TestServer): Promise<unknown[]> {
  const tables = [
    'users',
    'sessions',
    'sign_ins',
    'identities',
    'oauth_attempts',
    'chat_sessions',
    'chat_messages',
    'works',
    'work_versions',
    'work_proposals',
    'attachments',
    'documents',
    'document_runs',
    'prompts',
    'prompt_likes',
    'prompt_uses',
    'prompt_reports',
    'image_jobs',
    'image_pictures',
    'generations',
    'credit_ledger',
  ];
  const texts = tables.map(
    (table) =>
      `select '${table}' as name, count(*)::int as rows, md5(string_agg(t::text, '' order by t::text)) as sum from ${table} t`,
  );
  return (await database.query(texts.join(' union all '))).rows;
}

/** These routes check a key or a signature first, accept any browser report, or read no body. */
const needNoJson = /^\/v1\/|^\/api\/(webhooks|csp-reports)|\/(regenerate|continue)$/;
/** All fields of these routes are optional. */
const needNoFields = /^\/api\/(auth\/google|chats|me\/api-keys\/[^/]+|works\/[^/]+)$/;

test('every route that reads JSON refuses an unreadable body, and changes nothing', async () => {
  const { person } = owners.pro;
  const before = await stateOf(server);
  const reading = changing(owners.pro).filter(({ row, path }) => row.body && !needNoJson.test(path));
  expect(reading.length).toBeGreaterThan(25);
  for (const { method, path } of reading)
    for (const [name, body] of badBodies) {
      if (name === 'without the fields' && needNoFields.test(path)) continue;
      const headers = { cookie: person.cookie, origin: server.url, 'content-type': 'application/json' };
      const response = await fetch(server.url + path, {
        method,
        headers: { ...headers, ...key() },
        body: new Uint8Array(Buffer.from(body as string)),
      });
      expect([400, 413], `${method} ${path} ${name}`).toContain(response.status);
      expect(await response.text(), `${method} ${path} ${name}`).toMatch(
        /^\{"error":"[^"\\]{1,120}","code":"\w+"/,
      );
    }
  expect(await stateOf(server)).toEqual(before);
});

test('GET changes no state: opening sign-out signs nobody out', async () => {
  for (const { path } of changing()) {
    const response = await other.get(path);
    expect([200, 302, 404, 405], `GET ${path}`).toContain(response.status);
    await response.arrayBuffer();
  }
  expect((await other.get('/api/me')).status).toBe(200);
});

describe('each page, for each kind of visitor', () => {
  const columns = () => [guest(), other, owners.free.person, owners.pro.person] as const;

  test.each(Object.entries(pages))('%s', async (pattern, answers) => {
    for (const [column, visitor] of columns().entries()) {
      const things = column === 3 ? owners.pro : owners.free;
      const path = pathFor(pattern, things);
      const response = await visitor.get(path, { accept: 'text/html' });
      expect(response.status, `${path} in column ${column}`).toBe(answers[column]);
      const html = await response.text();
      // A shared page is public.
      if (column < 2 && pattern !== '/share/:id') expect(html).not.toContain(things.word);
      else if (pattern.startsWith('/chat')) expect(html).toContain(things.word);
    }
  });

  test('the data behind a page reveals no more than the page', async () => {
    const path = `/chat/${owners.free.chat}.data`;
    expect(await (await owners.free.person.get(path)).text()).toContain(owners.free.word);
    for (const visitor of [guest(), other]) {
      for (const query of ['', '?_routes=features%2Faccounts%2Fsign-in.route']) {
        expect(await (await visitor.get(path + query)).text()).not.toContain(owners.free.word);
      }
    }
  });
});

describe('each API route, for each kind of visitor', () => {
  test.each(Object.entries(api))('%s', async (route, row) => {
    const [method = '', pattern = ''] = route.split(' ');
    const ask = async (visitor: ReturnType<typeof client>, things: Things) => {
      const path = pathFor(pattern, things);
      const headers = { accept: 'application/json', ...row.headers?.() };
      const response =
        method === 'GET'
          ? await visitor.get(path, headers)
          : await visitor.send(method, path, row.body?.(things), headers);
      const started = response.status === 202 ? ((await response.json()) as Partial<Sent['body']>) : null;
      if (started?.generation) await waitForEnd(visitor as Person, started.generation.id);
      if (!started) await response.arrayBuffer();
      return response.status;
    };
    const before = await stateOf(server);
    const otherStatuses = [await ask(guest(), owners.free), await ask(other, owners.free)];
    // Where another person succeeds, the request is about their own data or about public data.
    if (otherStatuses[1] === 404) expect(await stateOf(server)).toEqual(before);
    const [free, pro] = [
      await ask(owners.free.person, owners.free),
      await ask(owners.pro.person, owners.pro),
    ];
    expect([...otherStatuses, free, pro]).toEqual(row.answers);
  });
});

test('the cookie of an ended session opens no private route', async () => {
  const signedOut = await createPerson(server);
  const things = { ...owners.free, session: randomUUID() };
  expect((await signedOut.get('/api/me')).status).toBe(200);
  expect((await signedOut.send('POST', '/api/sign-out')).status).toBe(204);
  for (const [route, row] of Object.entries(api)) {
    if (row.answers[0] !== 401) continue;
    const [method = '', pattern = ''] = route.split(' ');
    const path = pathFor(pattern, things);
    const response =
      method === 'GET'
        ? await signedOut.get(path)
        : await signedOut.send(method, path, row.body?.(things), key());
    expect(response.status, route).toBe(401);
  }
  const page = await (await signedOut.get('/chat', { accept: 'text/html' })).text();
  for (const own of [signedOut.email, signedOut.id]) expect(page).not.toContain(own);
});

test('another person cannot continue, resume or answer anything of the owner’s', async () => {
  const owner = await makeOwner(server, 'pro');
  const otherPerson = await createPerson(server, { plan: 'pro' });
  const ownMessage = await send(otherPerson, `${uniqueWord()} [[tps:0]] [[first:0]]`);
  await waitForEnd(otherPerson, ownMessage.body.generation.id);
  const before = (await (await owner.person.get(`/api/chats/${owner.chat}`)).json()) as ChatView;
  const tries: Array<[string, unknown, number]> = [
    // The other person uses the owner's ids: as parent, in their own chat, and for a new chat.
    [`/api/chats/${ownMessage.chatId}/messages`, { text: 'x', parentId: owner.reply }, 400],
    [`/api/chats/${ownMessage.chatId}/messages/${owner.reply}/regenerate`, {}, 404],
    [`/api/chats`, { id: owner.chat }, 404],
  ];
  for (const [path, body, status] of tries) {
    expect((await otherPerson.send('POST', path, body, key())).status, path).toBe(status);
  }
  const sameKey = await otherPerson.send(
    'POST',
    `/api/chats/${ownMessage.chatId}/messages`,
    { text: 'again [[tps:0]] [[first:0]]' },
    { 'idempotency-key': owner.sent.key },
  );
  const started = (await sameKey.json()) as Sent['body'];
  expect(started.generation.id).not.toBe(owner.generation);
  const resumed = await otherPerson.get(`/api/generations/${owner.generation}/events`, {
    'last-event-id': '1-0',
  });
  expect([resumed.status, await readEvents(resumed)]).toEqual([404, []]);
  expect(await (await owner.person.get(`/api/chats/${owner.chat}`)).json()).toEqual(before);
});
