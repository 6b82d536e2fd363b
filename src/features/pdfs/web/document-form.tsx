import { type KeyboardEvent, lazy, Suspense, useEffect, useRef } from 'react';
import { priceLabel } from '#features/credits/web/price-label.ts';
import { ToolForm, type ToolFormProps } from '#features/tools/web/tool-form.tsx';
import { m } from '#messages';
import { formatBytes } from '#shared/format-bytes.ts';
import { Field } from '#ui/field.tsx';
import { type DocumentView, documentLimits } from '../contract.ts';
import { FindingsFacts } from './findings/findings-panel.tsx';
import type { DocumentRuns } from './use-document-runs.ts';

const Thumbnail = lazy(() => import('./viewer/thumbnail.tsx'));

interface DocumentFormProps extends Pick<ToolFormProps, 'me' | 'price' | 'onUpgrade'> {
  document: DocumentView;
  runs: Pick<DocumentRuns, 'question' | 'form'>;
  onAsk: (question: string) => void;
}

export function DocumentForm({ document, me, price, runs, onAsk, onUpgrade }: DocumentFormProps) {
  const { question, form } = runs;
  const { busy, phase, stop } = question;
  const text = form.values.question;
  const field = useRef<HTMLTextAreaElement>(null);
  const wasBusy = useRef(false);
  useEffect(() => {
    const { activeElement, body } = window.document;
    if (wasBusy.current && !busy && activeElement === body) field.current?.focus({ preventScroll: true });
    wasBusy.current = busy;
  }, [busy]);
  const submit = () => {
    if (busy) return;
    if (text.trim() === '') field.current?.focus();
    else onAsk(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, nativeEvent } = event;
    if (key !== 'Enter' || shiftKey || ctrlKey || metaKey || nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <ToolForm
      label={m.pdfs_question_label()}
      me={me}
      price={price}
      onUpgrade={onUpgrade}
      onSubmit={submit}
      run={{
        label: priceLabel(m.pdfs_ask(), me, 'question'),
        blocked: text.trim() === '' && m.pdfs_question_blank(),
        phase,
        onStop: stop,
      }}
    >
      <div className="flex items-center gap-3 rounded-md border border-line bg-surface p-3">
        <Suspense fallback={<span className="pdf-thumb skeleton" />}>
          <Thumbnail id={document.id} />
        </Suspense>
        <div className="grid min-w-0 gap-1">
          <p className="text-sm font-semibold wrap-anywhere">{document.name}</p>
          <p className="fine">
            {m.pdfs_pages_count({ count: document.pages })} · {formatBytes(document.bytes)}
          </p>
        </div>
      </div>
      <FindingsFacts document={document} />
      <Field label={m.pdfs_question()}>
        {(control) => (
          <textarea
            {...control}
            ref={field}
            className="textarea"
            dir="auto"
            rows={4}
            placeholder={m.pdfs_question_placeholder()}
            maxLength={documentLimits.question}
            value={text}
            onChange={({ currentTarget }) => form.change({ question: currentTarget.value })}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
    </ToolForm>
  );
}
