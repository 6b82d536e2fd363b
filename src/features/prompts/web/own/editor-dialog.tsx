import { type FormEvent, useMemo, useState } from 'react';
import { type KeptForm, useKeptForm } from '../../../../client/kept-form.ts';
import { openSignIn, toast } from '../../../../client/page-events.ts';
import { ProblemError } from '../../../../client/problem-error.ts';
import { newId } from '../../../../client/uuid.ts';
import { labelOf } from '../../../../shared/prompt-variables/fill.ts';
import { parsePrompt, variablesOf } from '../../../../shared/prompt-variables/parse.ts';
import { Modal } from '../../../../ui/modal.tsx';
import { type Category, categories, categoryNames, type Prompt, promptLimits } from '../../contract.ts';
import { change, create, submit } from '../api.ts';

interface EditorDialogProps {
  /** Null: a new one. */
  prompt: Prompt | null;
  userId: string;
  onSaved: (saved: Prompt) => void;
  onClose: () => void;
}

interface Typed {
  /** Of a new prompt: chosen here, so that a second try makes no second one. */
  id: string;
  title: string;
  description: string;
  content: string;
  category: Category;
}

const typedOf = (prompt: Prompt | null): Typed => ({
  id: prompt?.id ?? newId(),
  title: prompt?.title ?? '',
  description: prompt?.description ?? '',
  content: prompt?.content ?? '',
  category: prompt?.category ?? 'writing',
});

const textOf = (error: unknown) =>
  error instanceof ProblemError ? error.message : 'The prompt could not be saved. Please try again.';

/** The blanks that were found in what was typed, so that one sees how it was read. */
function Blanks({ content }: { content: string }) {
  const variables = useMemo(() => variablesOf(parsePrompt(content)), [content]);
  return (
    <div className="hint grid gap-2" id="prompt-content-hint">
      <p>
        Write a blank as <code>{'{{topic}}'}</code>, a required one as{' '}
        <code>{'{{topic | text:required}}'}</code>, a choice as{' '}
        <code>{'{{tone | select:options=["Formal","Casual"]}}'}</code>. There are also <code>textarea</code>{' '}
        and <code>number</code>.
      </p>
      <p className="editor-blanks">
        {variables.length === 0 ? 'No blanks yet.' : 'Blanks: '}
        {variables.map((variable) => (
          <span key={variable.name} className="prompt-variable">
            {labelOf(variable)} · {variable.type}
          </span>
        ))}
      </p>
    </div>
  );
}

function Fields({ values, change: set }: Pick<KeptForm<Typed>, 'values' | 'change'>) {
  return (
    <>
      <div className="editor-pair">
        <div className="field">
          <label className="label" htmlFor="prompt-title">
            Title
          </label>
          <input
            className="input"
            id="prompt-title"
            dir="auto"
            required
            autoComplete="off"
            maxLength={promptLimits.titleLength * 2}
            value={values.title}
            onChange={(event) => set({ title: event.target.value })}
          />
        </div>
        <div className="field">
          <label className="label" htmlFor="prompt-category">
            Category
          </label>
          <select
            className="select"
            id="prompt-category"
            value={values.category}
            onChange={(event) => {
              const category = categories.find((each) => each === event.target.value);
              if (category) set({ category });
            }}
          >
            {categories.map((each) => (
              <option key={each} value={each}>
                {categoryNames[each]}
              </option>
            ))}
          </select>
        </div>
      </div>
      <div className="field">
        <label className="label" htmlFor="prompt-description">
          What one gets <span className="hint font-normal">(optional, one line)</span>
        </label>
        <input
          className="input"
          id="prompt-description"
          dir="auto"
          autoComplete="off"
          maxLength={promptLimits.descriptionLength * 2}
          value={values.description}
          onChange={(event) => set({ description: event.target.value })}
        />
      </div>
      <div className="field">
        <label className="label" htmlFor="prompt-content">
          Prompt
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
        <Blanks content={values.content} />
      </div>
    </>
  );
}

/** Writes a prompt of one's own, private unless it is submitted. What is typed is kept in this browser until it is saved. */
export default function EditorDialog({ prompt, userId, onSaved, onClose }: EditorDialogProps) {
  const [initial] = useState(() => typedOf(prompt));
  const form = useKeptForm<Typed>(prompt ? `prompt-${prompt.id}` : 'prompt', initial, userId);
  const [busy, setBusy] = useState<'save' | 'submit' | null>(null);
  const [error, setError] = useState<string | null>(null);
  const published = prompt?.own?.state === 'approved';

  async function save(event: FormEvent<HTMLFormElement>, close: () => void) {
    event.preventDefault();
    if (busy) return;
    const { submitter } = event.nativeEvent as SubmitEvent;
    const submits = submitter instanceof HTMLButtonElement && submitter.value === 'submit';
    setBusy(submits ? 'submit' : 'save');
    setError(null);
    try {
      const { values } = form;
      let saved = prompt ? await change(prompt.id, values) : await create(values);
      // A first try may have made it with another text, before its answer was lost.
      if (!prompt && saved.content !== values.content.trim()) saved = await change(saved.id, values);
      if (submits) saved = await submit(saved.id, true);
      form.forget();
      toast({
        text: submits ? 'Submitted. It is read before others see it.' : 'Saved. Only you see it.',
        kind: 'success',
      });
      onSaved(saved);
      close();
    } catch (failure) {
      setError(textOf(failure));
      if (failure instanceof ProblemError && failure.status === 401)
        openSignIn({ reason: 'You were signed out here. What you typed is kept.' });
    }
    setBusy(null);
  }

  return (
    <Modal title={prompt ? 'Edit prompt' : 'Upload a prompt'} className="prompt-editor" onClose={onClose}>
      {(close) => (
        <form onSubmit={(event) => void save(event, close)}>
          <div className="dialog-body grid gap-4">
            <Fields values={form.values} change={form.change} />
            {error ? (
              <p className="notice notice-danger" role="alert">
                {error}
              </p>
            ) : null}
            <p className="fine">
              {published ? 'Saving takes this prompt out of the library until it is approved again. ' : ''}A
              submitted prompt is read by us first, and then shown to everybody without your name. If you
              delete your account, your prompts are erased with it.
            </p>
          </div>
          <div className="dialog-foot">
            <button
              type="submit"
              value="save"
              className="btn btn-secondary btn-lg"
              aria-busy={busy === 'save'}
            >
              Save privately
            </button>
            <button
              type="submit"
              value="submit"
              className="btn btn-primary btn-lg"
              aria-busy={busy === 'submit'}
            >
              Save and submit
            </button>
          </div>
        </form>
      )}
    </Modal>
  );
}
