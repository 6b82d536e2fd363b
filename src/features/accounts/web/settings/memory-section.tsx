import { type FormEvent, useState } from 'react';
import { useLoadedState } from '#client/use-loaded-state.ts';
import { type Mutation, useMutation } from '#client/use-mutation.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Field } from '#ui/field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { type Memory, type MemoryNote, memoryLimits } from '../../instructions/memory-contract.ts';
import { addNote, changeNote, removeNote, switchMemory } from './settings-api.ts';
import { ErrorLine, SettingsSection } from './settings-section.tsx';

const HEADING = 'settings-memory';

interface NoteFormProps {
  label: string;
  first?: string;
  busy: boolean;
  action: string;
  onSave: (text: string) => Promise<boolean>;
  onCancel?: () => void;
}

function NoteForm({ label, first = '', busy, action, onSave, onCancel }: NoteFormProps) {
  const [text, setText] = useState(first);
  const { length } = text.trim();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (length > 0 && length <= memoryLimits.length && (await onSave(text))) setText('');
  };
  return (
    <form className="grid gap-3" onSubmit={save} noValidate>
      <Field
        label={label}
        error={length > memoryLimits.length ? m.memory_too_long({ most: memoryLimits.length }) : null}
        counter={{ length, max: memoryLimits.length }}
      >
        {(control) => (
          <textarea
            {...control}
            className="input"
            rows={2}
            dir="auto"
            autoComplete="off"
            // biome-ignore lint/a11y/noAutofocus: it replaces the button that was pressed
            autoFocus={onCancel !== undefined}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={length === 0 || text.trim() === first} aria-busy={busy}>
          {action}
        </Button>
        {onCancel ? (
          <Button variant="ghost" onClick={onCancel}>
            {m.common_cancel()}
          </Button>
        ) : null}
      </div>
    </form>
  );
}

interface NoteProps extends Pick<Mutation, 'busy' | 'change'> {
  note: MemoryNote;
  onChanged: (note: MemoryNote | null) => void;
}

function Note({ note, busy, change, onChanged }: NoteProps) {
  const [editing, setEditing] = useState(false);
  const [text, edit, remove] = ['text', 'edit', 'remove'].map((part) => `note-${part}-${note.id}`);
  const save = (typed: string) =>
    change({
      key: note.id,
      work: () => changeNote(note.id, typed),
      apply(saved) {
        setEditing(false);
        onChanged(saved);
      },
      done: m.memory_saved(),
    });
  const forget = () =>
    change({
      key: note.id,
      work: () => removeNote(note.id),
      apply: () => onChanged(null),
      done: m.memory_removed(),
    });
  return (
    <li className="grid gap-2 border-t border-line py-3 first:border-t-0 first:pt-0 last:pb-0">
      {editing ? (
        <NoteForm
          label={m.memory_note()}
          first={note.text}
          busy={busy === note.id}
          action={m.memory_save()}
          onSave={save}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <>
          <p id={text} className="text-sm whitespace-pre-wrap wrap-anywhere" dir="auto">
            {note.text}
          </p>
          <div className="flex flex-wrap items-center gap-3">
            <p className="hint flex-1">
              <LocalTime iso={note.createdAt} />
            </p>
            <Button id={edit} aria-labelledby={`${edit} ${text}`} onClick={() => setEditing(true)}>
              {m.common_edit()}
            </Button>
            <Button
              id={remove}
              aria-labelledby={`${remove} ${text}`}
              aria-busy={busy === note.id}
              onClick={forget}
            >
              {m.common_delete()}
            </Button>
          </div>
        </>
      )}
    </li>
  );
}

export function MemorySection({ first }: { first: Memory }) {
  const [{ enabled, notes }, setMemory] = useLoadedState(first);
  const { busy, error, change } = useMutation(HEADING);
  // Separate, so that the switch works while a note is being saved.
  const { error: switchError, change: changeSwitch } = useMutation(HEADING);
  const setNotes = (next: (now: MemoryNote[]) => MemoryNote[]) =>
    setMemory((now) => ({ ...now, notes: next(now.notes) }));
  const add = (text: string) =>
    change({
      key: 'new',
      work: () => addNote(text),
      apply: (note) => setNotes((now) => [note, ...now]),
      done: m.memory_saved(),
    });
  const turn = (on: boolean) =>
    changeSwitch({
      key: 'switch',
      work: () => switchMemory(on),
      apply: ({ enabled: now }) => setMemory((memory) => ({ ...memory, enabled: now })),
      done: on ? m.memory_is_on() : m.memory_is_off(),
    });
  return (
    <SettingsSection id={HEADING} title={m.memory_title()} about={m.memory_text()}>
      <Checkbox checked={enabled} onChange={(on) => void turn(on)}>
        {m.memory_enabled()}
      </Checkbox>
      {notes.length === 0 ? <p className="muted text-sm">{m.memory_none()}</p> : null}
      <ul>
        {notes.map((note) => (
          <Note
            key={note.id}
            note={note}
            busy={busy}
            change={change}
            onChanged={(changed) =>
              setNotes((now) => now.flatMap((each) => (each.id === note.id ? (changed ?? []) : each)))
            }
          />
        ))}
      </ul>
      <ErrorLine text={error ?? switchError} />
      <NoteForm label={m.memory_new()} busy={busy === 'new'} action={m.memory_add()} onSave={add} />
    </SettingsSection>
  );
}
