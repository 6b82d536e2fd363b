import { type FormEvent, useMemo, useRef, useState } from 'react';
import { useKeptForm } from '../../../../client/kept-form.ts';
import { toast } from '../../../../client/page-events.ts';
import { useCopied } from '../../../../client/use-copied.ts';
import {
  faultOf,
  filledWith,
  fillPieces,
  fillPrompt,
  type Values,
} from '../../../../shared/prompt-variables/fill.ts';
import { parsePrompt, type Variable, variablesOf } from '../../../../shared/prompt-variables/parse.ts';
import { Modal } from '../../../../ui/modal.tsx';
import { chatAsking, handOver } from '../../../chat/handover/contract.ts';
import { handPromptOver, imagePromptMost } from '../../../image/handover/contract.ts';
import type { Prompt } from '../../contract.ts';
import { noteUse } from '../api.ts';
import { VariableField } from './variable-field.tsx';

const idOf = (at: number) => `blank-${at}`;

/** By the names of the blanks. `__proto__` is a name like others, so no value is set by a key of its own. */
const valuesOf = (variables: Variable[], read: (variable: Variable) => string): Values =>
  Object.fromEntries(variables.map((variable) => [variable.name, read(variable)]));

/** What is filled in; an option that was kept and is none any more counts as not chosen. */
function soundValue(variable: Variable, values: Values): string {
  const value = filledWith(variable, values);
  const known = variable.type !== 'select' || value === '' || variable.options.includes(value);
  return known ? value : variable.default;
}

/** The prompt as it will be, what was filled in marked; what is still open shows its name. */
function Preview({ parts, values }: { parts: ReturnType<typeof parsePrompt>; values: Values }) {
  const pieces = fillPieces(parts, values, true);
  return (
    <div className="use-preview">
      <h3 className="eyebrow">Preview</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard */}
      <section className="prompt-text" dir="auto" tabIndex={0} aria-label="Preview">
        {pieces.map(({ text, name, filled }, at) => {
          const key = `${at}`;
          if (name === null) return <span key={key}>{text}</span>;
          return (
            <span key={key} className={filled ? 'mark' : 'prompt-variable'}>
              {text}
            </span>
          );
        })}
      </section>
    </div>
  );
}

interface UseDialogProps {
  prompt: Prompt;
  userId: string;
  /** It was used, and the dialog stays open. */
  onUsed: () => void;
  onClose: () => void;
}

/** Where a prompt opens; `chat` is the id of the chat that one came from, null where a new one begins. */
interface Target {
  press: string;
  place: string;
  pathOf: (chat: string | null) => string;
  handOver: (text: string, owner: string, chat: string | null) => boolean;
}

const targets: Record<Prompt['opensIn'], Target> = {
  chat: {
    press: 'Put into the chat',
    place: 'the chat',
    pathOf: (chat: string | null) => `/chat/${chat ?? 'new'}`,
    handOver,
  },
  image: {
    press: 'Put into the Image Generator',
    place: 'the Image Generator',
    pathOf: () => '/tools/image',
    handOver: handPromptOver,
  },
};

/**
 * The blanks of a prompt as a form, with the text beside it; the result goes into the composer of the chat that one came
 * from, else of a new one, or into the form of the Image Generator, unsent. What is filled in is kept until then.
 */
export default function UseDialog({ prompt, userId, onUsed, onClose }: UseDialogProps) {
  const parts = useMemo(() => parsePrompt(prompt.content), [prompt.content]);
  const variables = useMemo(() => variablesOf(parts), [parts]);
  const [initial] = useState(() => valuesOf(variables, ({ default: start }) => start));
  const form = useKeptForm<Values>(`prompt-use-${prompt.id}`, initial, userId);
  const values = valuesOf(variables, (variable) => soundValue(variable, form.values));
  const [tried, setTried] = useState(false);
  const box = useRef<HTMLFormElement>(null);
  const { copied, copy } = useCopied();
  const target = targets[prompt.opensIn];
  const faults = variables.map((variable) => faultOf(variable, filledWith(variable, values)));

  /** The finished text; null, with the focus on the first fault, while something is missing. */
  function finished(): string | null {
    setTried(true);
    const first = faults.findIndex((fault) => fault !== null);
    if (first === -1) return fillPrompt(parts, values);
    box.current?.querySelector<HTMLElement>(`#${idOf(first)}`)?.focus();
    return null;
  }

  function send(event: FormEvent) {
    event.preventDefault();
    const text = finished();
    if (text === null) return;
    if (prompt.opensIn === 'image' && text.length > imagePromptMost)
      return toast({
        text: `The Image Generator takes up to ${imagePromptMost.toLocaleString('en-US')} characters, and this text has ${text.length.toLocaleString('en-US')}. Please shorten what you filled in.`,
        kind: 'danger',
      });
    const chat = chatAsking(location.search);
    if (target.handOver(text, userId, chat)) {
      form.forget();
      // A use that is not noted costs the person a rating, and nothing else.
      noteUse(prompt.id).catch(() => undefined);
      return location.assign(target.pathOf(chat));
    }
    toast({
      text: `This browser stores nothing here. Copy the text and paste it into ${target.place}.`,
      kind: 'danger',
    });
  }

  function copyText() {
    const text = finished();
    if (text === null) return;
    copy(text);
    noteUse(prompt.id).then(onUsed, () => undefined);
  }

  return (
    <Modal title={prompt.title} className="dialog-wide use-dialog" onClose={onClose}>
      {(close) => (
        <form ref={box} noValidate onSubmit={send}>
          <div className="dialog-body use-body">
            <div className="use-fields">
              {variables.length === 0 ? (
                <p className="muted">This prompt has no blanks. It is ready.</p>
              ) : null}
              {variables.map((variable, at) => (
                <VariableField
                  key={variable.name}
                  id={idOf(at)}
                  variable={variable}
                  value={filledWith(variable, values)}
                  fault={tried ? (faults[at] ?? null) : null}
                  onChange={(value) => form.change(valuesOf([variable], () => value))}
                />
              ))}
            </div>
            <Preview parts={parts} values={values} />
          </div>
          <div className="dialog-foot">
            <button type="button" className="btn btn-ghost btn-lg" onClick={close}>
              Cancel
            </button>
            <button type="button" className="btn btn-secondary btn-lg" onClick={copyText}>
              {copied ? 'Copied' : 'Copy text'}
            </button>
            <button type="submit" className="btn btn-primary btn-lg">
              {target.press}
            </button>
          </div>
        </form>
      )}
    </Modal>
  );
}
