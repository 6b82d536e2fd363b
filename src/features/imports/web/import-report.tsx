import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import {
  type ImportFailure,
  type ImportView,
  type ItemKind,
  itemKinds,
  type LeftOutKind,
  leftOutKinds,
} from '../contract.ts';

const failureTexts: Record<ImportFailure, (values: { name: string }) => string> = {
  not_json: m.imports_failed_not_json,
  unknown: m.imports_failed_unknown,
  damaged: m.imports_failed_damaged,
  encrypted: m.imports_failed_encrypted,
  unsafe: m.imports_failed_unsafe,
  too_large: m.imports_failed_too_large,
  too_many: m.imports_failed_too_many,
  too_complex: m.imports_failed_too_complex,
  full: () => m.imports_failed_full(),
  stopped: m.imports_failed_stopped,
  internal: m.imports_failed_internal,
};

const leftOutTexts: Record<LeftOutKind, (values: { count: number }) => string> = {
  chats: m.imports_left_chats,
  images: m.imports_left_images,
  files: m.imports_left_files,
  tools: m.imports_left_tools,
  thinking: m.imports_left_thinking,
  hidden: m.imports_left_hidden,
  other: m.imports_left_other,
  cut: m.imports_left_cut,
  texts: m.imports_left_texts,
  projects: m.imports_left_projects,
  assistants: m.imports_left_assistants,
  prompts: m.imports_left_prompts,
  tags: m.imports_left_tags,
  taggings: m.imports_left_taggings,
  notes: m.imports_left_notes,
  documents: m.imports_left_documents,
  findings: m.imports_left_findings,
};

const addedTexts: Record<ItemKind, (values: { count: number }) => string> = {
  text: m.imports_added_text,
  image: m.imports_added_image,
  document: m.imports_added_document,
  project: m.imports_added_project,
  assistant: m.imports_added_assistant,
  prompt: m.imports_added_prompt,
  tag: m.imports_added_tag,
  note: m.imports_added_note,
  instructions: () => m.imports_added_instructions(),
};

/** Returns the progress of the import, or how it ended. */
export function statusText({ name, state, total, failure }: ImportView, isSending: boolean): string {
  if (failure) return failureTexts[failure]({ name });
  if (state === 'uploading') return isSending ? m.imports_sending({ name }) : m.imports_cut_off({ name });
  if (state === 'queued') return m.imports_queued({ name });
  if (state === 'running')
    return total === null ? m.imports_reading({ name }) : m.imports_importing({ name });
  return m.imports_done({ name });
}

/** Mentions that no chats were added only if nothing else was added either. */
function resultTexts({ added, present, items, failure }: ImportView): string[] {
  const addedItems = itemKinds.flatMap((kind) => {
    const count = items[kind]?.added ?? 0;
    return count > 0 ? [addedTexts[kind]({ count })] : [];
  });
  const others = Object.values(items).reduce((sum, counts) => sum + counts.present, 0);
  return [
    ...(added > 0 || (failure === null && addedItems.length === 0)
      ? [m.imports_added({ count: added })]
      : []),
    ...addedItems,
    ...(present > 0 ? [m.imports_present({ count: present })] : []),
    ...(others > 0 ? [m.imports_present_items({ count: others })] : []),
  ];
}

/** Kinds that the library lists or filters by. */
const libraryKinds: readonly ItemKind[] = ['text', 'image', 'document', 'prompt', 'tag'];

const hasItems = ({ items }: ImportView, kind: ItemKind) => {
  const { added = 0, present = 0 } = items[kind] ?? {};
  return added + present > 0;
};

/** Lists what was imported and what was left out. Renders nothing before the import has ended. */
export function ImportReport({ view }: { view: ImportView }) {
  if (view.finishedAt === null) return null;
  const results = resultTexts(view);
  const leftOut = leftOutKinds.flatMap((kind) => {
    const count = view.leftOut[kind] ?? 0;
    return count > 0 ? [leftOutTexts[kind]({ count })] : [];
  });
  return (
    <div className="grid gap-3 text-sm">
      {results.length > 0 ? (
        <ul className="grid list-disc gap-1 ps-5">
          {results.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ) : null}
      {leftOut.length > 0 ? (
        <>
          <p className="muted">{m.imports_left_out()}</p>
          <ul className="grid list-disc gap-1 ps-5">
            {leftOut.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      ) : null}
      <div className="row empty:hidden">
        {view.added + view.present > 0 ? <Button href="/chat">{m.imports_open()}</Button> : null}
        {libraryKinds.some((kind) => hasItems(view, kind)) ? (
          <Button href="/library">{m.imports_open_library()}</Button>
        ) : null}
      </div>
    </div>
  );
}
