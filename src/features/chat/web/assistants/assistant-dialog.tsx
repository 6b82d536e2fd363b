import { type FormEvent, useRef, useState } from 'react';
import { useMutation } from '#client/use-mutation.ts';
import { newUuid } from '#client/uuid.ts';
import { m } from '#messages';
import { chatModels } from '#shared/chat-models.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Field } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { knowledgeLimits, type WithFiles } from '../../knowledge/knowledge-contract.ts';
import { assistantLimits, type OwnAssistant } from '../../own-assistants/own-assistants-contract.ts';
import { KnowledgeFiles } from '../knowledge/knowledge-files.tsx';
import { useKnowledgeFiles } from '../knowledge/use-knowledge-files.ts';
import type { ChatProps } from '../state/chat-controls.ts';
import { useStored } from '../state/use-stored.ts';
import { assistantFiles, changeAssistant, createAssistant, fetchAssistant } from './assistant-requests.ts';

const NAME = 'assistant-name';

type Written = Omit<OwnAssistant, 'id'>;
type Stored = WithFiles<Written>;
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
  const [own] = useState(newUuid);
  // Made, though one of its files was refused then.
  const made = useRef(id);
  const [{ name, about, instruction, model }, setTyped] = useState<Written>(stored);
  const files = useKnowledgeFiles(stored.files, id === null ? null : assistantFiles(id));
  const [pressed, setPressed] = useState(false);
  const { busy, error, change } = useMutation(NAME);
  const type = (typed: Partial<Written>) => setTyped((now) => ({ ...now, ...typed }));
  const isUnnamed = name.trim() === '';
  const { length } = instruction.trim();
  const tooLong = length > assistantLimits.instruction;
  const save = (event: FormEvent) => {
    event.preventDefault();
    setPressed(true);
    if (isUnnamed) return document.getElementById(NAME)?.focus();
    if (busy || tooLong || files.sending) return;
    // One that is offered no more cannot be stored again.
    const offered = chatModels().some((each) => each.id === model) ? model : null;
    const written = { name, about, instruction, model: offered };
    void change({
      which: 'assistant',
      async work() {
        if (made.current === null) made.current = (await createAssistant(own, written)).id;
        else await changeAssistant(made.current, written);
        await files.addAll(assistantFiles(made.current));
      },
      apply: onDone,
      done: id === null ? m.assistant_created() : m.assistant_saved(),
    });
  };
  return (
    <form className="dialog-body grid gap-4" onSubmit={save} noValidate>
      <Field id={NAME} label={m.common_name()} error={pressed && isUnnamed ? m.assistant_unnamed() : null}>
        {(control) => (
          <input
            {...control}
            className="input"
            dir="auto"
            autoComplete="off"
            maxLength={assistantLimits.name}
            value={name}
            onChange={({ currentTarget: { value } }) => type({ name: value })}
          />
        )}
      </Field>
      <Field label={m.assistant_about()} optional>
        {(control) => (
          <input
            {...control}
            className="input"
            dir="auto"
            autoComplete="off"
            maxLength={assistantLimits.about}
            value={about}
            onChange={({ currentTarget: { value } }) => type({ about: value })}
          />
        )}
      </Field>
      <Field
        label={m.instructions_title()}
        optional
        error={tooLong ? m.memory_too_long({ most: assistantLimits.instruction }) : null}
        counter={{ length, most: assistantLimits.instruction }}
      >
        {(control) => (
          <textarea
            {...control}
            className="input min-h-28"
            rows={5}
            dir="auto"
            autoComplete="off"
            placeholder={m.assistant_instruction_sample()}
            value={instruction}
            onChange={({ currentTarget: { value } }) => type({ instruction: value })}
          />
        )}
      </Field>
      <ModelField model={model} onModel={(chosen) => type({ model: chosen })} />
      <KnowledgeFiles files={files} about={m.knowledge_about_assistant({ most: knowledgeLimits.files })} />
      {error ? <Notice kind="danger">{error}</Notice> : null}
      <Button
        look="primary"
        type="submit"
        className="justify-self-start"
        disabled={tooLong || files.sending}
        aria-busy={busy !== null}
      >
        {id === null ? m.assistant_create() : m.common_save()}
      </Button>
    </form>
  );
}

/** Leads back to the choice among all. */
export default function AssistantDialog({ state: { dialog, open }, controls }: ChatProps) {
  const id = dialog?.kind === 'assistant' ? dialog.id : null;
  const [end] = useState(() => () => controls.show(null));
  const stored = useStored<Stored>(id, { fetch: fetchAssistant, blank, onMissing: end });
  const back = () => {
    controls.show({ kind: 'assistants' });
    // Its name may be another one.
    if (open.stored) void controls.loadAround('');
  };
  return (
    <Dialog key={id} title={id === null ? m.assistant_new() : m.assistant_edit()} onClose={end}>
      {() =>
        stored === null ? (
          <p className="dialog-body muted text-sm" role="status">
            {m.chat_loading()}
          </p>
        ) : (
          <AssistantForm id={id} stored={stored} onDone={back} />
        )
      }
    </Dialog>
  );
}
