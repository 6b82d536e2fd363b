import { type FormEvent, useMemo, useState } from 'react';
import { openSignIn, toast } from '#client/page-events.ts';
import { type PersistedForm, usePersistedForm } from '#client/persisted-form.ts';
import { ProblemError } from '#client/problem-error.ts';
import { newUuid } from '#client/uuid.ts';
import { m } from '#messages';
import { variableLabel } from '#shared/fill-prompt.ts';
import { parsePrompt, variablesOf } from '#shared/parse-prompt.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Field } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { type Category, categories, categoryNames, type Prompt, promptLimits } from '../contract.ts';
import { change, create, submit } from './prompts-api.ts';
import './prompts.css';

interface EditorDialogProps {
  prompt: Prompt | null;
  userId: string;
  /** Initial title of a new prompt. */
  title?: string;
  onSaved?: (saved: Prompt) => void;
  onClose: () => void;
}

interface PromptFormValues {
  /** For a new prompt it is generated here, so that a retry does not create a second one. */
  id: string;
  title: string;
  description: string;
  content: string;
  category: Category;
}

const initialValues = (prompt: Prompt | null, title: string): PromptFormValues => ({
  id: prompt?.id ?? newUuid(),
  title: prompt?.title ?? title,
  description: prompt?.description ?? '',
  content: prompt?.content ?? '',
  category: prompt?.category ?? 'writing',
});

const errorText = (error: unknown) =>
  error instanceof ProblemError ? error.message : m.prompts_save_failed();

function VariableList({ content }: { content: string }) {
  const variables = useMemo(() => variablesOf(parsePrompt(content)), [content]);
  return (
    <div className="hint grid gap-2" id="prompt-content-hint">
      <p>{m.prompts_blanks_hint({ code: (text) => <code>{text}</code> })}</p>
      <p className="flex flex-wrap gap-y-1 gap-x-2">
        {variables.length === 0 ? m.prompts_blanks_none() : m.prompts_blanks_found()}
        {variables.map((variable) => (
          <span key={variable.name} className="prompt-variable forced-colors:border">
            {variableLabel(variable)} · {variable.type}
          </span>
        ))}
      </p>
    </div>
  );
}

function Fields({ values, change: set }: Pick<PersistedForm<PromptFormValues>, 'values' | 'change'>) {
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_11rem] gap-4 max-[36rem]:grid-cols-1">
        <Field id="prompt-title" label={m.common_title()}>
          {(control) => (
            <input
              className="input"
              {...control}
              dir="auto"
              required
              autoComplete="off"
              maxLength={promptLimits.titleLength * 2}
              value={values.title}
              onChange={(event) => set({ title: event.target.value })}
            />
          )}
        </Field>
        <Field id="prompt-category" label={m.common_category()}>
          {(control) => (
            <select
              className="select"
              {...control}
              value={values.category}
              onChange={(event) => {
                const category = categories.find((each) => each === event.target.value);
                if (category) set({ category });
              }}
            >
              {categories.map((each) => (
                <option key={each} value={each}>
                  {categoryNames[each]()}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Field
        id="prompt-description"
        label={m.prompts_description({ hint: (text) => <span className="hint font-normal">{text}</span> })}
      >
        {(control) => (
          <input
            className="input"
            {...control}
            dir="auto"
            autoComplete="off"
            maxLength={promptLimits.descriptionLength * 2}
            value={values.description}
            onChange={(event) => set({ description: event.target.value })}
          />
        )}
      </Field>
      <div className="field">
        <label className="label" htmlFor="prompt-content">
          {m.common_prompt()}
        </label>
        <textarea
          className="textarea"
          id="prompt-content"
          dir="auto"
          rows={9}
          required
          aria-describedby="prompt-content-hint"
          value={values.content}
          onChange={(event) => set({ content: event.target.value })}
        />
        <VariableList content={values.content} />
      </div>
    </>
  );
}

/** Keeps unsaved input in this browser. */
export default function PromptEditorDialog({
  prompt,
  userId,
  title = '',
  onSaved,
  onClose,
}: EditorDialogProps) {
  const [initial] = useState(() => initialValues(prompt, title));
  const form = usePersistedForm<PromptFormValues>(prompt ? `prompt-${prompt.id}` : 'prompt', initial, userId);
  const [busy, setBusy] = useState<'save' | 'submit' | null>(null);
  const [error, setError] = useState<string | null>(null);
  const published = prompt?.own?.state === 'approved';

  async function save(event: FormEvent<HTMLFormElement>, close: () => void) {
    event.preventDefault();
    if (busy) return;
    const { submitter } = event.nativeEvent as SubmitEvent;
    const shouldSubmit = submitter instanceof HTMLButtonElement && submitter.value === 'submit';
    setBusy(shouldSubmit ? 'submit' : 'save');
    setError(null);
    try {
      const { values } = form;
      let saved = prompt ? await change(prompt.id, values) : await create(values);
      // An earlier request may have created it with other text, and its response got lost.
      if (!prompt && saved.content !== values.content.trim()) saved = await change(saved.id, values);
      if (shouldSubmit) saved = await submit(saved.id, true);
      form.forget();
      toast({ text: shouldSubmit ? m.prompts_submitted() : m.prompts_saved(), kind: 'success' });
      onSaved?.(saved);
      close();
    } catch (failure) {
      setError(errorText(failure));
      if (failure instanceof ProblemError && failure.status === 401)
        openSignIn({ reason: m.credits_signed_out() });
    }
    setBusy(null);
  }

  return (
    <Dialog
      title={prompt ? m.prompts_edit_title() : m.prompts_upload_one()}
      className="[&_code]:wrap-anywhere w-[min(44rem,calc(100vw_-_2_*_var(--s-4)))]"
      onClose={onClose}
    >
      {(close) => (
        <form onSubmit={(event) => void save(event, close)}>
          <div className="dialog-body grid gap-4">
            <Fields values={form.values} change={form.change} />
            {error ? <Notice kind="danger">{error}</Notice> : null}
            {published ? <p className="fine">{m.prompts_edit_note_published()}</p> : null}
            <p className="fine">{m.prompts_edit_note()}</p>
          </div>
          <div className="dialog-foot">
            <Button type="submit" value="save" size="lg" aria-busy={busy === 'save'}>
              {m.prompts_save()}
            </Button>
            <Button type="submit" value="submit" variant="primary" size="lg" aria-busy={busy === 'submit'}>
              {m.prompts_save_submit()}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
