import { type FormEvent, useState } from 'react';
import { textLimits } from '#features/texts/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Field } from '#ui/field.tsx';

interface TitlePageDialogProps {
  author: string;
  /** Resolves to true once the author is saved. */
  onSave: (author: string) => Promise<boolean>;
  onClose: () => void;
}

/** Edits the author that exports show on the title page. */
export default function TitlePageDialog({ author, onSave, onClose }: TitlePageDialogProps) {
  const [busy, setBusy] = useState(false);
  const [typed, setTyped] = useState(author);
  async function save(event: FormEvent, close: () => void) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    if (await onSave(typed)) close();
    setBusy(false);
  }
  return (
    <Dialog title={m.script_title_page()} onClose={onClose}>
      {(close) => (
        <form onSubmit={(event) => void save(event, close)}>
          <div className="dialog-body">
            <Field label={m.script_author()} hint={m.script_author_hint()}>
              {(control) => (
                <input
                  {...control}
                  className="input"
                  dir="auto"
                  maxLength={textLimits.authorLength}
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                />
              )}
            </Field>
          </div>
          <div className="dialog-foot">
            <Button variant="ghost" size="lg" onClick={close}>
              {m.common_cancel()}
            </Button>
            <Button type="submit" variant="primary" size="lg" aria-busy={busy}>
              {m.common_save()}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
