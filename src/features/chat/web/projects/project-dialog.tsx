import { type FormEvent, useRef, useState } from 'react';
import { useMutation } from '#client/use-mutation.ts';
import { newUuid } from '#client/uuid.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Field } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { knowledgeLimits, type WithFiles } from '../../knowledge/knowledge-contract.ts';
import { type Project, projectLimits } from '../../projects/projects-contract.ts';
import { KnowledgeFiles } from '../knowledge/knowledge-files.tsx';
import { useKnowledgeFiles } from '../knowledge/use-knowledge-files.ts';
import type { ChatProps } from '../state/chat-controls.ts';
import { useStored } from '../state/use-stored.ts';
import { changeProject, createProject, fetchProject, projectFiles } from './project-requests.ts';

const NAME = 'project-name';
type Stored = WithFiles<Pick<Project, 'name' | 'instructions'>>;
const blank: Stored = { name: '', instructions: '', files: [] };

interface ProjectFormProps {
  id: string | null;
  stored: Stored;
  onDone: () => void;
}

function ProjectForm({ id, stored, onDone }: ProjectFormProps) {
  const [own] = useState(newUuid);
  // Made, though one of its files was refused then.
  const made = useRef(id);
  const [{ name, instructions }, setTyped] = useState<Omit<Stored, 'files'>>(stored);
  const files = useKnowledgeFiles(stored.files, id === null ? null : projectFiles(id));
  const [pressed, setPressed] = useState(false);
  const { busy, error, change } = useMutation(NAME);
  const isUnnamed = name.trim() === '';
  const { length } = instructions.trim();
  const tooLong = length > projectLimits.instructions;
  const save = (event: FormEvent) => {
    event.preventDefault();
    setPressed(true);
    if (isUnnamed) return document.getElementById(NAME)?.focus();
    if (busy || tooLong || files.sending) return;
    void change({
      which: 'project',
      async work() {
        const written = { name, instructions };
        if (made.current === null) made.current = (await createProject(own, written)).id;
        else await changeProject(made.current, written);
        await files.addAll(projectFiles(made.current));
      },
      apply: onDone,
      done: id === null ? m.project_created() : m.project_saved(),
    });
  };
  return (
    <form className="dialog-body grid gap-4" onSubmit={save} noValidate>
      <Field id={NAME} label={m.common_name()} error={pressed && isUnnamed ? m.project_unnamed() : null}>
        {(control) => (
          <input
            {...control}
            className="input"
            dir="auto"
            autoComplete="off"
            maxLength={projectLimits.name}
            value={name}
            onChange={({ currentTarget: { value } }) => setTyped((now) => ({ ...now, name: value }))}
          />
        )}
      </Field>
      <Field
        label={m.instructions_title()}
        optional
        error={tooLong ? m.memory_too_long({ most: projectLimits.instructions }) : null}
        counter={{ length, most: projectLimits.instructions }}
      >
        {(control) => (
          <textarea
            {...control}
            className="input min-h-28"
            rows={4}
            dir="auto"
            autoComplete="off"
            value={instructions}
            onChange={({ currentTarget: { value } }) => setTyped((now) => ({ ...now, instructions: value }))}
          />
        )}
      </Field>
      <p className="muted text-sm">{m.project_instructions_about()}</p>
      <KnowledgeFiles files={files} about={m.knowledge_about_project({ most: knowledgeLimits.files })} />
      {error ? <Notice kind="danger">{error}</Notice> : null}
      <Button
        look="primary"
        type="submit"
        className="justify-self-start"
        disabled={tooLong || files.sending}
        aria-busy={busy !== null}
      >
        {id === null ? m.project_create() : m.common_save()}
      </Button>
    </form>
  );
}

export default function ProjectDialog({ state: { dialog }, controls }: ChatProps) {
  const id = dialog?.kind === 'project' ? dialog.id : null;
  const [end] = useState(() => () => controls.show(null));
  const stored = useStored<Stored>(id, { fetch: fetchProject, blank, onMissing: end });
  return (
    <Dialog title={id === null ? m.project_new() : m.project_settings()} onClose={end}>
      {(close) =>
        stored === null ? (
          <p className="dialog-body muted text-sm" role="status">
            {m.chat_loading()}
          </p>
        ) : (
          <ProjectForm id={id} stored={stored} onDone={close} />
        )
      }
    </Dialog>
  );
}
