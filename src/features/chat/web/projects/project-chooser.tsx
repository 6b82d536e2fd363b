import { Check, Folder, FolderMinus } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { errorText } from '#client/use-mutation.ts';
import { newUuid } from '#client/uuid.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Field } from '#ui/field.tsx';
import { MenuItem } from '#ui/menu.tsx';
import { type ProjectRow, projectLimits } from '../../projects/projects-contract.ts';
import { createProject } from './project-requests.ts';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

function NewProject({ onCreated }: { onCreated: (project: ProjectRow) => Promise<void> }) {
  const [id] = useState(newUuid);
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const create = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (name.trim() === '') return setError(m.project_unnamed());
    setBusy(true);
    await createProject(id, { name }).then(onCreated, (failure: unknown) =>
      setError(errorText(failure, m.common_connection_lost())),
    );
    setBusy(false);
  };
  return (
    <form
      className="grid gap-3 border-t border-line pt-4"
      onSubmit={(event) => void create(event)}
      noValidate
    >
      <Field label={m.project_new()} error={error}>
        {(control) => (
          <input
            {...control}
            className="input"
            dir="auto"
            autoComplete="off"
            maxLength={projectLimits.name}
            placeholder={m.common_name()}
            value={name}
            onChange={({ currentTarget: { value } }) => {
              setName(value);
              setError(null);
            }}
          />
        )}
      </Field>
      <Button type="submit" className="justify-self-start" aria-busy={busy}>
        {m.project_create_move()}
      </Button>
    </form>
  );
}

interface ProjectChooserProps {
  projects: ProjectRow[];
  /** The project that all chats are in; undefined if they are in several. */
  current: string | null | undefined;
  note?: ReactNode;
  /** Null takes them out of their project. Returns whether it succeeded; errors are shown. */
  move: (to: ProjectRow | null) => Promise<boolean>;
  onMoved?: (() => void) | undefined;
  onClose: () => void;
}

export function ProjectChooser({ projects, current, note, move, onMoved, onClose }: ProjectChooserProps) {
  const [busy, setBusy] = useState(false);
  const moveTo = async (project: ProjectRow | null, close: () => void) => {
    if (busy) return;
    setBusy(true);
    const done = await move(project);
    setBusy(false);
    if (!done) return;
    close();
    onMoved?.();
  };
  const choice = (project: ProjectRow | null, close: () => void) => (
    <li key={project?.id ?? ''}>
      <MenuItem
        aria-current={current === (project?.id ?? null) ? 'true' : undefined}
        onClick={() => void moveTo(project, close)}
      >
        {project ? <Folder {...icon} /> : <FolderMinus {...icon} />}
        <span className="min-w-0 flex-1 truncate" dir="auto">
          {project?.name ?? m.project_none()}
        </span>
        {current === (project?.id ?? null) ? <Check {...icon} /> : null}
      </MenuItem>
    </li>
  );
  return (
    <Dialog title={m.project_move()} onClose={onClose}>
      {(close) => (
        <div className="dialog-body grid gap-4" aria-busy={busy}>
          {note}
          {projects.length === 0 ? null : (
            <ul>
              {projects.map((project) => choice(project, close))}
              {choice(null, close)}
            </ul>
          )}
          <NewProject onCreated={(project) => moveTo(project, close)} />
        </div>
      )}
    </Dialog>
  );
}
