import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useMutation } from '#client/use-mutation.ts';
import { newUuid } from '#client/uuid.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import type { Attachment } from '../../contract.ts';
import { KnowledgeFiles } from './knowledge-files.tsx';
import type { KnowledgeRequests } from './knowledge-uploads.ts';
import { useKnowledgeFiles } from './use-knowledge-files.ts';

interface TextFieldProps {
  id?: string | undefined;
  label: string;
  optional?: boolean;
  error?: string | null;
  most: number;
  value: string;
  onType: (value: string) => void;
}

export function LineField({
  id,
  label,
  optional = false,
  error = null,
  most,
  value,
  onType,
}: TextFieldProps) {
  const own = useId();
  return (
    <Field id={id ?? own} label={label} optional={optional} error={error}>
      {(control) => (
        <input
          {...control}
          className="input"
          dir="auto"
          autoComplete="off"
          maxLength={most}
          value={value}
          onChange={(event) => onType(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export const isTooLong = (text: string, most: number): boolean => text.trim().length > most;

interface InstructionsFieldProps extends Pick<TextFieldProps, 'most' | 'value' | 'onType'> {
  rows: number;
  placeholder?: string | undefined;
}

export function InstructionsField({ most, value, onType, rows, placeholder }: InstructionsFieldProps) {
  return (
    <Field
      label={m.instructions_title()}
      optional
      error={isTooLong(value, most) ? m.memory_too_long({ most }) : null}
      counter={{ length: value.trim().length, most }}
    >
      {(control) => (
        <textarea
          {...control}
          className="input min-h-28"
          rows={rows}
          dir="auto"
          autoComplete="off"
          placeholder={placeholder}
          value={value}
          onChange={(event) => onType(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface KeeperFormProps {
  /** Null for a new one. */
  id: string | null;
  kind: 'project' | 'assistant';
  name: string;
  onName: (name: string) => void;
  most: number;
  /** Error text for a missing name. */
  unnamed: string;
  tooLong: boolean;
  /** Fields below the name. */
  children: ReactNode;
  files: Attachment[];
  aboutFiles: string;
  requestsOf: (id: string) => KnowledgeRequests;
  /** Creates it under the given id. */
  create: (id: string) => Promise<{ id: string }>;
  change: (id: string) => Promise<unknown>;
  submit: string;
  done: string;
  onDone: () => void;
}

/** Form for a project or an own assistant, each with files for its chats. */
export function KeeperForm(props: KeeperFormProps) {
  const { id, kind, name, onName, most, unnamed, tooLong, children } = props;
  const nameId = `${kind}-name`;
  const [own] = useState(newUuid);
  // Set once it is created, even if one of its files was refused then.
  const made = useRef(id);
  const files = useKnowledgeFiles(props.files, id === null ? null : props.requestsOf(id));
  const [pressed, setPressed] = useState(false);
  const { busy, error, change } = useMutation(nameId);
  const isUnnamed = name.trim() === '';
  const save = (event: FormEvent) => {
    event.preventDefault();
    setPressed(true);
    if (isUnnamed) return document.getElementById(nameId)?.focus();
    if (busy || tooLong || files.sending) return;
    void change({
      which: kind,
      async work() {
        if (made.current === null) made.current = (await props.create(own)).id;
        else await props.change(made.current);
        await files.addAll(props.requestsOf(made.current));
      },
      apply: props.onDone,
      done: props.done,
    });
  };
  return (
    <form className="dialog-body grid gap-4" onSubmit={save} noValidate>
      <LineField
        id={nameId}
        label={m.common_name()}
        error={pressed && isUnnamed ? unnamed : null}
        most={most}
        value={name}
        onType={onName}
      />
      {children}
      <KnowledgeFiles files={files} about={props.aboutFiles} />
      {error ? <Notice kind="danger">{error}</Notice> : null}
      <Button
        look="primary"
        type="submit"
        className="justify-self-start"
        disabled={tooLong || files.sending}
        aria-busy={busy !== null}
      >
        {props.submit}
      </Button>
    </form>
  );
}
