import { type FormEvent, useMemo, useRef, useState } from 'react';
import { toast } from '#client/page-events.ts';
import { usePersistedForm } from '#client/persisted-form.ts';
import { useClipboard } from '#client/use-clipboard.ts';
import { originChatId, prefillComposer } from '#features/chat/contract.ts';
import { imageLimits, prefillImagePrompt } from '#features/images/contract.ts';
import { m } from '#messages';
import {
  fillParts,
  fillPrompt,
  type VariableValues,
  valueProblem,
  variableValue,
} from '#shared/fill-prompt.ts';
import { parsePrompt, type Variable, variablesOf } from '#shared/parse-prompt.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import type { Prompt } from '../contract.ts';
import { recordUse } from './prompts-api.ts';
import './prompts.css';
import { VariableField } from './variable-field.tsx';

const fieldId = (index: number) => `blank-${index}`;

/** `Object.fromEntries`, because assigning the key `__proto__` would not set a value. */
const valuesOf = (variables: Variable[], read: (variable: Variable) => string): VariableValues =>
  Object.fromEntries(variables.map((variable) => [variable.name, read(variable)]));

/** Replaces a stored option that no longer exists by the default. */
function validValue(variable: Variable, values: VariableValues): string {
  const value = variableValue(variable, values);
  const isValid = variable.type !== 'select' || value === '' || variable.options.includes(value);
  return isValid ? value : variable.default;
}

function Preview({ parts, values }: { parts: ReturnType<typeof parsePrompt>; values: VariableValues }) {
  const pieces = fillParts(parts, values, true);
  return (
    <div className="grid content-start gap-2">
      <h3 className="eyebrow">{m.prompts_preview()}</h3>
      <section
        className="prompt-text whitespace-pre-wrap wrap-anywhere max-h-[min(26rem,60dvh)] p-4 border rounded-md bg-sunken text-sm/[1.45rem] overflow-y-auto border-line"
        dir="auto"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
        tabIndex={0}
        aria-label={m.prompts_preview()}
      >
        {pieces.map(({ text, name, filled }, at) => {
          const key = `${at}`;
          if (name === null) return <span key={key}>{text}</span>;
          return (
            <span key={key} className={filled ? 'mark forced-colors:border' : 'prompt-variable'}>
              {text}
            </span>
          );
        })}
      </section>
    </div>
  );
}

interface FillInDialogProps {
  prompt: Prompt;
  userId: string;
  onUsed?: () => void;
  /** Receives the text on this page, instead of opening the prompt's tool. */
  onText?: (text: string) => void;
  onClose: () => void;
}

interface Target {
  label: () => string;
  pathFor: (chat: string | null) => string;
  handOver: (text: string, owner: string, chat: string | null) => boolean;
}

const targets: Record<Prompt['opensIn'], Target> = {
  chat: {
    label: m.prompts_open_chat,
    pathFor: (chat: string | null) => `/chat/${chat ?? 'new'}`,
    handOver: prefillComposer,
  },
  image: { label: m.prompts_open_image, pathFor: () => '/tools/image', handOver: prefillImagePrompt },
};

export default function FillInDialog({ prompt, userId, onUsed, onText, onClose }: FillInDialogProps) {
  const parts = useMemo(() => parsePrompt(prompt.content), [prompt.content]);
  const variables = useMemo(() => variablesOf(parts), [parts]);
  const [initial] = useState(() => valuesOf(variables, ({ default: initialValue }) => initialValue));
  const form = usePersistedForm<VariableValues>(`prompt-use-${prompt.id}`, initial, userId);
  const values = valuesOf(variables, (variable) => validValue(variable, form.values));
  const [tried, setTried] = useState(false);
  const box = useRef<HTMLFormElement>(null);
  const { copied, copy } = useClipboard();
  const target = targets[prompt.opensIn];
  const problems = variables.map((variable) => valueProblem(variable, variableValue(variable, values)));

  /** Returns null and focuses the first invalid field if something is missing. */
  function completeText(): string | null {
    setTried(true);
    const first = problems.findIndex((problem) => problem !== null);
    if (first === -1) return fillPrompt(parts, values);
    box.current?.querySelector<HTMLElement>(`#${fieldId(first)}`)?.focus();
    return null;
  }

  function send(event: FormEvent, close: () => void) {
    event.preventDefault();
    const text = completeText();
    if (text === null) return;
    if (onText) {
      form.forget();
      recordUse(prompt.id).catch(() => undefined);
      close();
      return onText(text);
    }
    if (prompt.opensIn === 'image' && text.length > imageLimits.prompt)
      return toast({
        text: m.prompts_too_long({ most: imageLimits.prompt, length: text.length }),
        kind: 'danger',
      });
    const chat = originChatId(location.search);
    if (target.handOver(text, userId, chat)) {
      form.forget();
      // If this fails, the person only cannot rate the prompt.
      recordUse(prompt.id).catch(() => undefined);
      return location.assign(target.pathFor(chat));
    }
    toast({ text: m.prompts_no_storage(), kind: 'danger' });
  }

  function copyText() {
    const text = completeText();
    if (text === null) return;
    copy(text);
    recordUse(prompt.id).then(
      () => onUsed?.(),
      () => undefined,
    );
  }

  return (
    <Dialog title={prompt.title} className="dialog-wide use-dialog" onClose={onClose}>
      {(close) => (
        <form ref={box} noValidate onSubmit={(event) => send(event, close)}>
          <div className="dialog-body grid grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)] gap-y-6 gap-x-8 max-md:grid-cols-1">
            <div className="grid content-start gap-4">
              {variables.length === 0 ? <p className="muted">{m.prompts_no_blanks()}</p> : null}
              {variables.map((variable, at) => (
                <VariableField
                  key={variable.name}
                  id={fieldId(at)}
                  variable={variable}
                  value={variableValue(variable, values)}
                  problem={tried ? (problems[at] ?? null) : null}
                  onChange={(value) => form.change(valuesOf([variable], () => value))}
                />
              ))}
            </div>
            <Preview parts={parts} values={values} />
          </div>
          <div className="dialog-foot">
            <Button variant="ghost" size="lg" onClick={close}>
              {m.common_cancel()}
            </Button>
            <Button size="lg" onClick={copyText}>
              {copied ? m.copied() : m.prompts_copy_text()}
            </Button>
            <Button type="submit" variant="primary" size="lg">
              {onText ? m.prompts_insert() : target.label()}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
