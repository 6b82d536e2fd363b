import { importLimits } from '../contract.ts';
import { type Fields, idOf, isObject, listOf, objectOf, textOf, timeOf } from './field-values.ts';
import type { ReadItem } from './import-protocol.ts';
import { PICTURES_OF_SET } from './message-bounds.ts';

/** Versions per text; only the newest are kept. */
const VERSIONS = 1_000;
/** Same as `knowledgeLimits.files`. */
const FILES = 10;

const ids = (value: unknown, most: number): string[] =>
  [...new Set(listOf(value).flatMap((id) => idOf(id) ?? []))].slice(0, most);

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? textOf(value) : null);

const times = (fields: Fields) => ({
  createdAt: timeOf(fields.createdAt),
  updatedAt: timeOf(fields.updatedAt),
});

/** Returns `empty` for what a failed run left. */
type ReadFields = (fields: Fields, sourceId: string) => ReadItem | 'empty' | null;

/** Versions without text come from failed runs. */
const readText: ReadFields = (fields, sourceId) => {
  const versions = listOf(fields.versions)
    .slice(-VERSIONS)
    .map(objectOf)
    .filter(({ content }) => textOf(content) !== '')
    .map(({ kind, settings, content, note, createdAt }) => ({
      kind: textOf(kind),
      settings: objectOf(settings),
      content: textOf(content),
      note: textOrNull(note),
      at: timeOf(createdAt),
    }));
  if (versions.length === 0) return 'empty';
  const about = { tool: textOf(fields.tool), title: textOf(fields.title), author: textOrNull(fields.author) };
  return { kind: 'text', sourceId, ...about, ...times(fields), versions };
};

const readProject: ReadFields = (fields, sourceId) => {
  const [name, instructions] = [textOf(fields.name), textOf(fields.instructions)];
  if (name.trim() === '') return null;
  return {
    ...{ kind: 'project', sourceId, name, instructions },
    ...times(fields),
    attachments: ids(fields.fileIds, FILES),
  };
};

const readAssistant: ReadFields = (fields, sourceId) => {
  const [name, about, instruction] = [fields.name, fields.about, fields.instruction].map(textOf);
  if (name === undefined || name.trim() === '') return null;
  return {
    ...{ kind: 'assistant', sourceId, name, about: about ?? '', instruction: instruction ?? '' },
    model: textOrNull(fields.model),
    ...times(fields),
    attachments: ids(fields.fileIds, FILES),
  };
};

const readPrompt: ReadFields = (fields, sourceId) => {
  const [title, description, content, category] = [
    fields.title,
    fields.description,
    fields.content,
    fields.category,
  ].map(textOf) as [string, string, string, string];
  return { kind: 'prompt', sourceId, title, description, content, category, ...times(fields) };
};

const readImage: ReadFields = (fields, sourceId) => {
  const pictures = listOf(fields.pictures)
    .map(objectOf)
    .filter((picture) => !picture.deletedAt)
    .flatMap((picture) => {
      const id = idOf(picture.id);
      return id === null ? [] : [{ id, path: textOf(picture.file), at: timeOf(picture.createdAt) }];
    })
    .slice(0, PICTURES_OF_SET);
  if (pictures.length === 0) return 'empty';
  return {
    ...{ kind: 'image', sourceId, prompt: textOf(fields.prompt), size: textOf(fields.size) },
    ...{ model: textOf(fields.model), count: typeof fields.count === 'number' ? fields.count : 0 },
    createdAt: timeOf(fields.createdAt),
    pictures,
  };
};

/** Drops results that are incomplete, from runs that failed or were still running. */
const readDocument: ReadFields = (fields, sourceId) => ({
  ...{ kind: 'document', sourceId, name: textOf(fields.name), path: textOf(fields.file) },
  createdAt: timeOf(fields.createdAt),
  runs: listOf(fields.runs)
    .map(objectOf)
    .filter(({ state = 'done', result }) => state === 'done' && isObject(result))
    .map(({ kind, question, result, createdAt }) => ({
      ...{ kind: textOf(kind), question: textOrNull(question), result, at: timeOf(createdAt) },
    })),
});

const readTag: ReadFields = (fields, sourceId) => {
  const name = textOf(fields.name);
  if (name.trim() === '') return null;
  const items = new Map<string, { kind: string; id: string }>();
  let more = 0;
  for (const each of listOf(fields.items).map(objectOf)) {
    const [kind, id] = [idOf(each.kind), idOf(each.id)];
    if (kind === null || id === null || items.has(`${kind} ${id}`)) continue;
    if (items.size < importLimits.taggings) items.set(`${kind} ${id}`, { kind, id });
    else more++;
  }
  return {
    ...{ kind: 'tag', sourceId, name, createdAt: timeOf(fields.createdAt) },
    ...{ items: [...items.values()], more },
  };
};

function readNotes(memory: Fields): ReadItem[] {
  const enabled = memory.enabled !== false;
  return listOf(memory.notes)
    .map(objectOf)
    .flatMap((note): ReadItem[] => {
      const [sourceId, text] = [idOf(note.id), textOf(note.text)];
      if (sourceId === null || text.trim() === '') return [];
      return [{ kind: 'note', sourceId, text, createdAt: timeOf(note.createdAt), enabled }];
    });
}

/** Source id for what a person has only one of. */
const ONLY = 'only';

function readInstructions(fields: Fields): ReadItem[] {
  const [about, answers] = [textOf(fields.about), textOf(fields.answers)];
  if (`${about}${answers}`.trim() === '') return [];
  return [{ kind: 'instructions', sourceId: ONLY, about, answers, enabled: fields.enabled !== false }];
}

/** Keys are the names of the lists in `export.json`. */
const readings = {
  works: readText,
  projects: readProject,
  assistants: readAssistant,
  prompts: readPrompt,
  images: readImage,
  documents: readDocument,
  tags: readTag,
} satisfies Record<string, ReadFields>;

export type ItemList = keyof typeof readings;

export const isItemList = (name: string): name is ItemList => Object.hasOwn(readings, name);

/** Returns null for a damaged item. */
export function readItem(list: ItemList, fields: Fields): ReadItem | 'empty' | null {
  const sourceId = idOf(fields.id);
  return sourceId === null ? null : readings[list](fields, sourceId);
}

/** Keys are the names of the objects in `export.json`. */
export const objectReadings: Readonly<Record<string, (fields: Fields) => ReadItem[]>> = {
  instructions: readInstructions,
  memory: readNotes,
};
