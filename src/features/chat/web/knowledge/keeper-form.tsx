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
  maxLength: number;
  value: string;
  onType: (value: string) => void;
}

export function LineField({
  id,
  label,
  optional = false,
  error = null,
  maxLength,
  value,
  onType,
}: TextFieldProps) {
  const defaultId = useId();
  return (
    <Field id={id ?? defaultId} label={label} optional={optional} error={error}>
      {(control) => (
        <input
          {...control}
          className="input"
          dir="auto"
          autoComplete="off"
          maxLength={maxLength}
          value={value}
          onChange={(event) => onType(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export const isTooLong = (text: string, maxLength: number): boolean => text.trim().length > maxLength;

interface InstructionsFieldProps extends Pick<TextFieldProps, 'maxLength' | 'value' | 'onType'> {
  rows: number;
  placeholder?: string | undefined;
}

export function InstructionsField({ maxLength, value, onType, rows, placeholder }: InstructionsFieldProps) {
  return (
    <Field
      label={m.instructions_title()}
      optional
      error={isTooLong(value, maxLength) ? m.memory_too_long({ most: maxLength }) : null}
      counter={{ length: value.trim().length, max: maxLength }}
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
  maxLength: number;
  /** Error text for a missing name. */
  unnamedError: string;
  tooLong: boolean;
  /** Fields below the name. */
  children: ReactNode;
  files: Attachment[];
  aboutFiles: string;
  requestsFor: (id: string) => KnowledgeRequests;
  /** Creates it under the given id. */
  create: (id: string) => Promise<{ id: string }>;
  change: (id: string) => Promise<unknown>;
  submitLabel: string;
  doneText: string;
  onDone: () => void;
}

/** Form for a project or an own assistant, each with files for its chats. */
export function KeeperForm(props: KeeperFormProps) {
  const { id, kind, name, onName, maxLength, unnamedError, tooLong, children } = props;
  const nameId = `${kind}-name`;
  const [newId] = useState(newUuid);
  // Set once it is created, even if one of its files was refused then.
  const createdId = useRef(id);
  const files = useKnowledgeFiles(props.files, id === null ? null : props.requestsFor(id));
  const [submitted, setSubmitted] = useState(false);
  const { busy, error, change } = useMutation(nameId);
  const isUnnamed = name.trim() === '';
  const save = (event: FormEvent) => {
    event.preventDefault();
    setSubmitted(true);
    if (isUnnamed) return document.getElementById(nameId)?.focus();
    if (busy || tooLong || files.sending) return;
    void change({
      key: kind,
      async work() {
        if (createdId.current === null) createdId.current = (await props.create(newId)).id;
        else await props.change(createdId.current);
        await files.addAll(props.requestsFor(createdId.current));
      },
      apply: props.onDone,
      done: props.doneText,
    });
  };
  return (
    <form className="dialog-body grid gap-4" onSubmit={save} noValidate>
      <LineField
        id={nameId}
        label={m.common_name()}
        error={submitted && isUnnamed ? unnamedError : null}
        maxLength={maxLength}
        value={name}
        onType={onName}
      />
      {children}
      <KnowledgeFiles files={files} about={props.aboutFiles} />
      {error ? <Notice kind="danger">{error}</Notice> : null}
      <Button
        variant="primary"
        type="submit"
        className="justify-self-start"
        disabled={tooLong || files.sending}
        aria-busy={busy !== null}
      >
        {props.submitLabel}
      </Button>
    </form>
  );
}
