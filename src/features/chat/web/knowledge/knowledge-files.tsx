import { Paperclip } from 'lucide-react';
import { useId, useRef } from 'react';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import type { KnowledgeFilesState } from './use-knowledge-files.ts';

export function KnowledgeFiles({ files, about }: { files: KnowledgeFilesState; about: string }) {
  const { pending, kit, removed, addFiles, remove, restore, retry } = files;
  const title = useId();
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const undo = useRef<HTMLButtonElement>(null);
  return (
    <section className="grid gap-2" aria-labelledby={title}>
      <h3 className="label" id={title}>
        {m.knowledge_title()} <span className="muted font-normal">{m.field_optional()}</span>
      </h3>
      {pending.length === 0 ? null : kit ? (
        // Only the dialog scrolls, not the list in it.
        <div className="*:max-h-none">
          <kit.FileChips
            pending={pending}
            waiting={false}
            onRemove={async (key) => {
              // The chip disappears together with its focused button.
              button.current?.focus();
              await remove(key);
              undo.current?.focus();
            }}
            onRetry={retry}
            onUnfold={() => undefined}
          />
        </div>
      ) : (
        <p className="muted text-sm" role="status">
          {m.chat_loading()}
        </p>
      )}
      {removed ? (
        <p className="row text-sm" role="status">
          <span className="min-w-0 wrap-anywhere">{m.knowledge_removed({ name: removed.name })}</span>
          <Button
            ref={undo}
            onClick={async () => {
              if (await restore(removed)) button.current?.focus();
            }}
          >
            {m.common_undo()}
          </Button>
        </p>
      ) : null}
      <Button
        ref={button}
        className="justify-self-start"
        disabled={kit === null}
        onClick={() => input.current?.click()}
      >
        <Paperclip size={16} strokeWidth={1.75} aria-hidden="true" />
        {m.knowledge_add()}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={kit?.acceptedFiles}
        onChange={({ currentTarget }) => {
          addFiles([...(currentTarget.files ?? [])]);
          // Allows choosing the same file again.
          currentTarget.value = '';
        }}
      />
      <p className="hint">{about}</p>
    </section>
  );
}
