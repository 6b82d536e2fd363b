import sharp from 'sharp';
import { expect } from 'vitest';
import type { downloadArchive, Export } from './archive.ts';

type Archive = Awaited<ReturnType<typeof downloadArchive>>;

/** Parts of the archive that an import restores. */
const restored = [
  'instructions',
  'memory',
  'chats',
  'projects',
  'assistants',
  'attachments',
  'works',
  'prompts',
  'images',
  'documents',
  'tags',
] as const satisfies readonly (keyof Export)[];

/** Parts that an import leaves out, and the reason. */
const omitted: Partial<Record<keyof Export, string>> = {
  schema: 'the name of a file',
  version: 'of the form',
  exportedAt: 'of the archive',
  account: 'the account that imports is another one',
  apiKeys: 'keys open one site',
  sessions: 'sessions open one site',
  shares: 'a page becomes public by its owner’s hand alone',
  imports: 'of the account that imported',
  importedChats: 'of the account that imported',
  importedItems: 'of the account that imported',
  notifications: 'a browser subscribes to one site',
  likedPrompts: 'of the library of one site',
  usedPrompts: 'of the library of one site',
  reportedPrompts: 'of the library of one site',
  supportMessages: 'letters to one operator',
  generations: 'runs are the ledger’s',
  ledger: 'credits are worth something on one site',
  billing: 'payments were made to one operator',
  newsletter: 'consent was given to one operator',
};

/** Fields of restored entries that belong to the exporting site and are not compared. */
const siteFields = {
  message: new Set([
    ...['generationId', 'state', 'finishReason', 'error', 'creditsCharged', 'model', 'answeredBy'],
    ...['thinking', 'thoughtMs', 'web', 'takenOver', 'leftOut', 'filesLeftOut'],
  ]),
  version: new Set(['generationId']),
  // An imported prompt is private.
  prompt: new Set(['state', 'reason', 'likes']),
  // A set's file repeats the note that it was imported.
  set: new Set(['imported']),
  picture: new Set(['bytes']),
  finding: new Set(['generationId']),
  // An image attached to a message is re-encoded on import.
  attachedImage: new Set(['bytes']),
};

const omit = (fields: ReadonlySet<string>, row: object) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !fields.has(name)));

const isLive = ({ deletedAt }: { deletedAt: string | null }) => deletedAt === null;

/** Maps ids, which differ between sites, to names that are the same on every site. */
function namesOf({
  chats,
  projects,
  assistants,
  attachments,
  works,
  prompts,
  images,
  documents,
  memory,
  tags,
}: Export) {
  const names = new Map<string, string>();
  const name = (rows: { id: string }[], nameAt: (at: number) => string) => {
    for (const [at, { id }] of rows.entries()) names.set(id, nameAt(at));
  };
  for (const { id, createdAt, messages } of chats) {
    names.set(id, `chat ${createdAt}`);
    name(messages, (at) => `message ${at} of ${createdAt}`);
  }
  for (const each of projects) names.set(each.id, `project ${each.name}`);
  for (const each of assistants) names.set(each.id, `assistant ${each.name}`);
  for (const each of attachments) names.set(each.id, `file ${each.name} of ${each.createdAt}`);
  for (const each of works) {
    names.set(each.id, `work ${each.createdAt}`);
    name(each.versions, (at) => `version ${at} of ${each.createdAt}`);
  }
  for (const each of prompts) names.set(each.id, `prompt ${each.title}`);
  for (const each of images) {
    names.set(each.id, `set ${each.prompt}`);
    name(each.pictures.filter(isLive), (at) => `picture ${at} of ${each.prompt}`);
  }
  for (const each of documents) names.set(each.id, `document ${each.name}`);
  for (const each of memory.notes) names.set(each.id, `note ${each.text}`);
  for (const each of tags) names.set(each.id, `tag ${each.name}`);
  return names;
}

const uuids = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

async function pixelsOf(png: Buffer): Promise<string> {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  return `${info.width} × ${info.height} ${data.toString('base64')}`;
}

/**
 * Returns what to compare: pixels of images, bytes of documents, words of text files, and a constant for images of
 * messages, which an import re-encodes.
 */
async function contentOf(name: string, bytes: Buffer): Promise<string> {
  if (name.startsWith('images/')) return pixelsOf(bytes);
  if (name.startsWith('documents/')) return bytes.toString('base64');
  return /\.(?:md|fountain|txt)$/.test(name) ? bytes.toString() : 'bytes';
}

/**
 * Returns everything that an import restores, without ids and without fields of the exporting site: the sorted entries
 * of `export.json`, and the files.
 */
export async function comparableArchive({ data, files }: Archive) {
  // A new part of the archive must be added to one of the two lists.
  expect(Object.keys(data).sort()).toEqual([...restored, ...Object.keys(omitted)].sort());
  const names = namesOf(data);
  const withNames = (text: string) => text.replace(uuids, (id) => names.get(id) ?? `unknown ${id}`);
  const parts = {
    ...data,
    chats: data.chats.filter(isLive).map((chat) => ({
      ...chat,
      messages: chat.messages.map((message) => omit(siteFields.message, message)),
    })),
    projects: data.projects.filter(isLive),
    assistants: data.assistants.filter(isLive),
    attachments: data.attachments.map((file) =>
      file.type.startsWith('image/') ? omit(siteFields.attachedImage, file) : file,
    ),
    // They are listed in the order of their ids, which differ between sites.
    tags: data.tags.map((tag) => ({
      ...tag,
      items: tag.items.map(({ kind, id }) => `${kind} ${names.get(id) ?? id}`).sort(),
    })),
    works: data.works.filter(isLive).map((work) => ({
      ...work,
      versions: work.versions.map((version) => omit(siteFields.version, version)),
    })),
    prompts: data.prompts.filter(isLive).map((prompt) => omit(siteFields.prompt, prompt)),
    documents: data.documents.filter(isLive).map((document) => ({
      ...document,
      // Failed runs have no findings.
      runs: document.runs.filter(({ state }) => state === 'done').map((run) => omit(siteFields.finding, run)),
    })),
    images: data.images.filter(isLive).map((set) => ({
      ...omit(siteFields.set, set),
      pictures: set.pictures.filter(isLive).map((picture) => omit(siteFields.picture, picture)),
    })),
  };
  const entries = Object.fromEntries(
    restored.map((part) => {
      const text = JSON.parse(withNames(JSON.stringify(parts[part]))) as unknown;
      const lines = Array.isArray(text) ? text.map((each) => JSON.stringify(each)).sort() : text;
      return [part, lines];
    }),
  );
  const contents: Record<string, string> = {};
  for (const [name, bytes] of files)
    if (/^(?:chats|works|images|documents|files)\//.test(name))
      contents[withNames(name)] = await contentOf(name, bytes);
  return { entries, contents };
}
