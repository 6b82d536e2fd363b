import { type ChangeEvent, useRef } from 'react';
import { m } from '#messages';
import { formatBytes } from '#shared/format-bytes.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { type ImportView, importLimits } from '../contract.ts';
import { ImportReport, statusText } from './import-report.tsx';
import { useImports } from './use-imports.ts';

const HEADING = 'settings-import';
const HINT = 'import-hint';

function Meter({ view, sent, label }: { view: ImportView; sent: number | null; label: string }) {
  const share = sent ?? (view.total ? view.handled / view.total : null);
  return <progress className="meter" aria-label={label} value={share ?? undefined} />;
}

/** Default export, because the settings page loads it lazily. */
export default function ImportSection({ first }: { first: ImportView | null }) {
  const { newest, sent, error, choose, stop, isOpen } = useImports(first);
  const input = useRef<HTMLInputElement>(null);
  const onFile = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    // Lets the person choose the same file again.
    event.target.value = '';
    if (file) void choose(file);
  };
  const busy = isOpen || sent !== null;
  const text = newest ? statusText(newest, sent !== null) : '';
  return (
    <section className="grid gap-3" aria-labelledby={HEADING}>
      <div className="grid gap-1">
        <h2 className="h3" id={HEADING} tabIndex={-1}>
          {m.imports_title()}
        </h2>
        <p className="muted text-sm">{m.imports_about()}</p>
        <p className="muted text-sm">{m.imports_archive()}</p>
      </div>
      <div className="card grid gap-5">
        <div className="grid gap-2">
          <div className="row">
            <Button
              aria-describedby={HINT}
              aria-disabled={busy || undefined}
              onClick={() => !busy && input.current?.click()}
            >
              {m.imports_choose()}
            </Button>
          </div>
          <p className="hint" id={HINT}>
            {m.imports_hint({ size: formatBytes(importLimits.size) })}
          </p>
          <input
            ref={input}
            type="file"
            hidden
            accept=".zip,.json,application/zip,application/json"
            aria-label={m.imports_file()}
            onChange={onFile}
          />
        </div>
        <p className="text-sm wrap-anywhere empty:hidden" role="status">
          {text}
        </p>
        {newest && busy ? (
          <div className="grid gap-3">
            <Meter view={newest} sent={sent} label={text} />
            <div className="row">
              <Button onClick={() => stop(newest)}>{m.imports_stop()}</Button>
            </div>
          </div>
        ) : null}
        {newest ? <ImportReport view={newest} /> : null}
        {error ? <Notice kind="danger">{error}</Notice> : null}
      </div>
    </section>
  );
}
