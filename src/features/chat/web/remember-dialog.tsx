import { type FormEvent, useState } from 'react';
import { json, request } from '#client/api-request.ts';
import { useMutation } from '#client/use-mutation.ts';
import { type MemoryNote, memoryLimits } from '#features/accounts/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Field } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import type { ChatProps } from './state/chat-controls.ts';

const FIELD = 'remember-note';

/** Lets the person read and change the note before it is stored. */
export default function RememberDialog({ state: { dialog }, controls }: ChatProps) {
  const rememberDialog = dialog?.kind === 'remember' ? dialog : null;
  const [text, setText] = useState(rememberDialog?.text ?? '');
  const { busy, error, change } = useMutation(FIELD);
  if (!rememberDialog) return null;
  const { length } = text.trim();
  const tooLong = length > memoryLimits.length;
  const save = (event: FormEvent, close: () => void) => {
    event.preventDefault();
    if (busy || length === 0 || tooLong) return;
    void change({
      key: 'note',
      work: () => request<MemoryNote>('/api/me/memory', json('POST', { text })),
      apply() {
        close();
        rememberDialog.onSaved?.();
      },
      done: m.remember_kept(),
    });
  };
  return (
    <Dialog title={m.remember_title()} onClose={() => controls.show(null)}>
      {(close) => (
        <form className="dialog-body grid gap-4" onSubmit={(event) => save(event, close)} noValidate>
          <p className="muted text-sm">{m.remember_text()}</p>
          <Field
            id={FIELD}
            label={m.memory_note()}
            error={tooLong ? m.memory_too_long({ most: memoryLimits.length }) : null}
            counter={{ length, max: memoryLimits.length }}
          >
            {(control) => (
              <textarea
                {...control}
                className="input min-h-24"
                rows={4}
                dir="auto"
                autoComplete="off"
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
              />
            )}
          </Field>
          {error ? <Notice kind="danger">{error}</Notice> : null}
          <div className="flex flex-wrap gap-3">
            <Button
              variant="primary"
              type="submit"
              disabled={length === 0 || tooLong}
              aria-busy={busy !== null}
            >
              {m.remember_keep()}
            </Button>
            <Button variant="ghost" href="/settings#settings-memory">
              {m.remember_settings()}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
