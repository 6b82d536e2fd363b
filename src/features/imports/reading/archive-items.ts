import { importLimits } from '../contract.ts';
import { asId, asList, asObject, asText, asTime, type Fields, isObject } from './field-values.ts';
import type { ParsedItem } from './import-protocol.ts';
import { MAX_IMAGES_PER_SET } from './message-bounds.ts';

/** Versions per text; only the newest are kept. */
const MAX_VERSIONS = 1_000;
/** Same as `knowledgeLimits.files`. */
const MAX_FILES = 10;

const ids = (value: unknown, max: number): string[] =>
  [...new Set(asList(value).flatMap((id) => asId(id) ?? []))].slice(0, max);

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? asText(value) : null);

const times = (fields: Fields) => ({
  createdAt: asTime(fields.createdAt),
  updatedAt: asTime(fields.updatedAt),
});

/** Returns `empty` for what a failed run left. */
type ItemParser = (fields: Fields, sourceId: string) => ParsedItem | 'empty' | null;

/** Versions without text come from failed runs. */
const readText: ItemParser = (fields, sourceId) => {
  const versions = asList(fields.versions)
    .slice(-MAX_VERSIONS)
    .map(asObject)
    .filter(({ content }) => asText(content) !== '')
    .map(({ kind, settings, content, note, createdAt }) => ({
      kind: asText(kind),
      settings: asObject(settings),
      content: asText(content),
      note: textOrNull(note),
      at: asTime(createdAt),
    }));
  if (versions.length === 0) return 'empty';
  const details = {
    tool: asText(fields.tool),
    title: asText(fields.title),
    author: textOrNull(fields.author),
  };
  return { kind: 'text', sourceId, ...details, ...times(fields), versions };
};

const readProject: ItemParser = (fields, sourceId) => {
  const [name, instructions] = [asText(fields.name), asText(fields.instructions)];
  if (name.trim() === '') return null;
  return {
    ...{ kind: 'project', sourceId, name, instructions },
    ...times(fields),
    attachments: ids(fields.fileIds, MAX_FILES),
  };
};

const readAssistant: ItemParser = (fields, sourceId) => {
  const [name, about, instruction] = [fields.name, fields.about, fields.instruction].map(asText);
  if (name === undefined || name.trim() === '') return null;
  return {
    ...{ kind: 'assistant', sourceId, name, about: about ?? '', instruction: instruction ?? '' },
    model: textOrNull(fields.model),
    ...times(fields),
    attachments: ids(fields.fileIds, MAX_FILES),
  };
};

const readPrompt: ItemParser = (fields, sourceId) => {
  const [title, description, content, category] = [
    fields.title,
    fields.description,
    fields.content,
    fields.category,
  ].map(asText) as [string, string, string, string];
  return { kind: 'prompt', sourceId, title, description, content, category, ...times(fields) };
};

const readImage: ItemParser = (fields, sourceId) => {
  const pictures = asList(fields.pictures)
    .map(asObject)
    .filter((picture) => !picture.deletedAt)
    .flatMap((picture) => {
      const id = asId(picture.id);
      return id === null ? [] : [{ id, path: asText(picture.file), at: asTime(picture.createdAt) }];
    })
    .slice(0, MAX_IMAGES_PER_SET);
  if (pictures.length === 0) return 'empty';
  return {
    ...{ kind: 'image', sourceId, prompt: asText(fields.prompt), size: asText(fields.size) },
    ...{ model: asText(fields.model), count: typeof fields.count === 'number' ? fields.count : 0 },
    createdAt: asTime(fields.createdAt),
    pictures,
  };
};

/** Drops results that are incomplete, from runs that failed or were still running. */
const readDocument: ItemParser = (fields, sourceId) => ({
  ...{ kind: 'document', sourceId, name: asText(fields.name), path: asText(fields.file) },
  createdAt: asTime(fields.createdAt),
  runs: asList(fields.runs)
    .map(asObject)
    .filter(({ state = 'done', result }) => state === 'done' && isObject(result))
    .map(({ kind, question, result, createdAt }) => ({
      ...{ kind: asText(kind), question: textOrNull(question), result, at: asTime(createdAt) },
    })),
});

const readTag: ItemParser = (fields, sourceId) => {
  const name = asText(fields.name);
  if (name.trim() === '') return null;
  const items = new Map<string, { kind: string; id: string }>();
  let more = 0;
  for (const each of asList(fields.items).map(asObject)) {
    const [kind, id] = [asId(each.kind), asId(each.id)];
    if (kind === null || id === null || items.has(`${kind} ${id}`)) continue;
    if (items.size < importLimits.taggings) items.set(`${kind} ${id}`, { kind, id });
    else more++;
  }
  return {
    ...{ kind: 'tag', sourceId, name, createdAt: asTime(fields.createdAt) },
    ...{ items: [...items.values()], more },
  };
};

function readNotes(memory: Fields): ParsedItem[] {
  const enabled = memory.enabled !== false;
  return asList(memory.notes)
    .map(asObject)
    .flatMap((note): ParsedItem[] => {
      const [sourceId, text] = [asId(note.id), asText(note.text)];
      if (sourceId === null || text.trim() === '') return [];
      return [{ kind: 'note', sourceId, text, createdAt: asTime(note.createdAt), enabled }];
    });
}

/** Source id for what a person has only one of. */
const ONLY = 'only';

function readInstructions(fields: Fields): ParsedItem[] {
  const [about, answers] = [asText(fields.about), asText(fields.answers)];
  if (`${about}${answers}`.trim() === '') return [];
  return [{ kind: 'instructions', sourceId: ONLY, about, answers, enabled: fields.enabled !== false }];
}

/** Keys are the names of the lists in `export.json`. */
const parsers = {
  works: readText,
  projects: readProject,
  assistants: readAssistant,
  prompts: readPrompt,
  images: readImage,
  documents: readDocument,
  tags: readTag,
} satisfies Record<string, ItemParser>;

export type ItemList = keyof typeof parsers;

export const isItemList = (name: string): name is ItemList => Object.hasOwn(parsers, name);

/** Returns null for a damaged item. */
export function readItem(list: ItemList, fields: Fields): ParsedItem | 'empty' | null {
  const sourceId = asId(fields.id);
  return sourceId === null ? null : parsers[list](fields, sourceId);
}

/** Keys are the names of the objects in `export.json`. */
export const objectParsers: Readonly<Record<string, (fields: Fields) => ParsedItem[]>> = {
  instructions: readInstructions,
  memory: readNotes,
};
