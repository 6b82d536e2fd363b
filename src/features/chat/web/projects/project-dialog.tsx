import { useState } from 'react';
import { m } from '#messages';
import { Dialog } from '#ui/dialog.tsx';
import { knowledgeLimits, type WithFiles } from '../../knowledge/knowledge-contract.ts';
import { type Project, projectLimits } from '../../projects/projects-contract.ts';
import { InstructionsField, isTooLong, KeeperForm } from '../knowledge/keeper-form.tsx';
import type { ChatProps } from '../state/chat-controls.ts';
import { useStored } from '../state/use-stored.ts';
import { changeProject, createProject, fetchProject, projectFiles } from './project-requests.ts';

type Stored = WithFiles<Pick<Project, 'name' | 'instructions'>>;
const blank: Stored = { name: '', instructions: '', files: [] };

interface ProjectFormProps {
  id: string | null;
  stored: Stored;
  onDone: () => void;
}

function ProjectForm({ id, stored, onDone }: ProjectFormProps) {
  const [fields, setFields] = useState<Omit<Stored, 'files'>>({
    name: stored.name,
    instructions: stored.instructions,
  });
  const edit = (typed: Partial<typeof fields>) => setFields((now) => ({ ...now, ...typed }));
  const { name, instructions } = fields;
  return (
    <KeeperForm
      id={id}
      kind="project"
      name={name}
      onName={(typed) => edit({ name: typed })}
      maxLength={projectLimits.name}
      unnamedError={m.project_unnamed()}
      tooLong={isTooLong(instructions, projectLimits.instructions)}
      files={stored.files}
      aboutFiles={m.knowledge_about_project({ most: knowledgeLimits.files })}
      requestsFor={projectFiles}
      create={(own) => createProject(own, fields)}
      change={(id) => changeProject(id, fields)}
      submitLabel={id === null ? m.project_create() : m.common_save()}
      doneText={id === null ? m.project_created() : m.project_saved()}
      onDone={onDone}
    >
      <InstructionsField
        maxLength={projectLimits.instructions}
        rows={4}
        value={instructions}
        onType={(typed) => edit({ instructions: typed })}
      />
      <p className="muted text-sm">{m.project_instructions_about()}</p>
    </KeeperForm>
  );
}

export default function ProjectDialog({ state: { dialog }, controls }: ChatProps) {
  const id = dialog?.kind === 'project' ? dialog.id : null;
  const [close] = useState(() => () => controls.show(null));
  const stored = useStored<Stored>(id, { fetch: fetchProject, blank, onMissing: close });
  return (
    <Dialog title={id === null ? m.project_new() : m.project_settings()} onClose={close}>
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
