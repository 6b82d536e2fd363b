import { useState } from 'react';
import { m } from '#messages';
import { chatModels } from '#shared/chat-models.ts';
import { Dialog } from '#ui/dialog.tsx';
import { Field } from '#ui/field.tsx';
import { knowledgeLimits, type WithFiles } from '../../knowledge/knowledge-contract.ts';
import { assistantLimits, type OwnAssistant } from '../../own-assistants/own-assistants-contract.ts';
import { InstructionsField, isTooLong, KeeperForm, LineField } from '../knowledge/keeper-form.tsx';
import type { ChatProps } from '../state/chat-controls.ts';
import { useStored } from '../state/use-stored.ts';
import { assistantFiles, changeAssistant, createAssistant, fetchAssistant } from './assistant-requests.ts';

type AssistantFields = Omit<OwnAssistant, 'id'>;
type Stored = WithFiles<AssistantFields>;
const blank: Stored = { name: '', about: '', instruction: '', model: null, files: [] };

function ModelField({ model, onModel }: { model: string | null; onModel: (model: string | null) => void }) {
  const models = chatModels();
  if (models.length < 2) return null;
  const offered = models.some(({ id }) => id === model);
  return (
    <Field label={m.chat_detail_model()} optional>
      {(control) => (
        <select
          {...control}
          className="input"
          value={offered ? (model ?? '') : ''}
          onChange={({ currentTarget: { value } }) => onModel(value === '' ? null : value)}
        >
          <option value="">{m.assistant_model_any()}</option>
          {models.map(({ id, name, pro }) => (
            <option key={id} value={id}>
              {pro ? `${name} (${m.plan_pro()})` : name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface AssistantFormProps {
  id: string | null;
  stored: Stored;
  onDone: () => void;
}

function AssistantForm({ id, stored, onDone }: AssistantFormProps) {
  const [{ name, about, instruction, model }, setFields] = useState<AssistantFields>(stored);
  const edit = (typed: Partial<AssistantFields>) => setFields((now) => ({ ...now, ...typed }));
  // A model that is no longer offered cannot be stored again.
  const offered = chatModels().some((each) => each.id === model) ? model : null;
  const fields = { name, about, instruction, model: offered };
  return (
    <KeeperForm
      id={id}
      kind="assistant"
      name={name}
      onName={(typed) => edit({ name: typed })}
      maxLength={assistantLimits.name}
      unnamedError={m.assistant_unnamed()}
      tooLong={isTooLong(instruction, assistantLimits.instruction)}
      files={stored.files}
      aboutFiles={m.knowledge_about_assistant({ most: knowledgeLimits.files })}
      requestsFor={assistantFiles}
      create={(own) => createAssistant(own, fields)}
      change={(id) => changeAssistant(id, fields)}
      submitLabel={id === null ? m.assistant_create() : m.common_save()}
      doneText={id === null ? m.assistant_created() : m.assistant_saved()}
      onDone={onDone}
    >
      <LineField
        label={m.assistant_about()}
        optional
        maxLength={assistantLimits.about}
        value={about}
        onType={(typed) => edit({ about: typed })}
      />
      <InstructionsField
        maxLength={assistantLimits.instruction}
        rows={5}
        placeholder={m.assistant_instruction_sample()}
        value={instruction}
        onType={(typed) => edit({ instruction: typed })}
      />
      <ModelField model={model} onModel={(chosen) => edit({ model: chosen })} />
    </KeeperForm>
  );
}

/** Closes into the list of assistants. */
export default function AssistantDialog({ state: { dialog, open }, controls }: ChatProps) {
  const id = dialog?.kind === 'assistant' ? dialog.id : null;
  const [close] = useState(() => () => controls.show(null));
  const stored = useStored<Stored>(id, { fetch: fetchAssistant, blank, onMissing: close });
  const showList = () => {
    controls.show({ kind: 'assistants' });
    // Its name may have changed.
    if (open.stored) void controls.loadAround('');
  };
  return (
    <Dialog key={id} title={id === null ? m.assistant_new() : m.assistant_edit()} onClose={close}>
      {() =>
        stored === null ? (
          <p className="dialog-body muted text-sm" role="status">
            {m.chat_loading()}
          </p>
        ) : (
          <AssistantForm id={id} stored={stored} onDone={showList} />
        )
      }
    </Dialog>
  );
}
