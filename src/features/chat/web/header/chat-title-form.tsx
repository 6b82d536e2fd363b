import { type KeyboardEvent, useEffect, useRef } from 'react';
import { isComposing } from '#client/is-composing.ts';
import { chatLimits } from '../../contract.ts';

export interface ChatTitleFormProps {
  title: string;
  label: string;
  className: string;
  onDone: (title: string | null, byKey: boolean) => void;
}

export default function ChatTitleForm({ title, label, className, onDone }: ChatTitleFormProps) {
  const box = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    box.current?.focus();
    box.current?.select();
  }, []);
  const finish = (save: boolean, byKey: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    const text = box.current?.value.trim() ?? '';
    onDone(save && text !== '' ? text : null, byKey);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    finish(event.key === 'Enter', true);
  };
  return (
    <input
      ref={box}
      className={className}
      aria-label={label}
      defaultValue={title}
      maxLength={chatLimits.titleLength}
      autoComplete="off"
      enterKeyHint="done"
      onKeyDown={onKeyDown}
      onBlur={() => finish(true, false)}
    />
  );
}
