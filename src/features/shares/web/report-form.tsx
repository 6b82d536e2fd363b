import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';

export interface ReportFormProps {
  path: string;
  opened: number;
  /** Names and labels. */
  reasons: [reason: string, words: string][];
  honeypot: string;
  /** Code points. */
  maxLength: number;
  typed: { reason: string; words: string } | null;
  error: string | null;
}

/** Works without a script: only the server validates it. */
export function ReportForm({ path, opened, reasons, honeypot, maxLength, typed, error }: ReportFormProps) {
  return (
    <details id="report" className="print:hidden" open={error !== null}>
      <summary className="link cursor-pointer text-sm">{m.shared_report()}</summary>
      <form method="post" action={`${path}#report`} className="relative mt-4 grid max-w-lg gap-4">
        {error === null ? null : (
          <Notice kind="danger" tabIndex={-1} autoFocus>
            {error}
          </Notice>
        )}
        <input type="hidden" name="intent" value="report" />
        <input type="hidden" name="opened" value={opened} />
        <div className="absolute start-[-100vw] w-px h-px overflow-hidden" aria-hidden="true">
          <label>
            {m.form_trap()}
            <input type="text" name={honeypot} tabIndex={-1} autoComplete="off" defaultValue="" />
          </label>
        </div>
        <Field label={m.shared_report_reason()}>
          {(control) => (
            <select {...control} className="select" name="reason" required defaultValue={typed?.reason ?? ''}>
              <option value="" disabled>
                {m.shared_report_choose()}
              </option>
              {reasons.map(([reason, words]) => (
                <option key={reason} value={reason}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={m.shared_report_words()} optional hint={m.field_most({ most: maxLength })}>
          {(control) => (
            <textarea
              {...control}
              className="textarea wrap-anywhere"
              name="words"
              rows={4}
              dir="auto"
              maxLength={maxLength}
              defaultValue={typed?.words ?? ''}
            />
          )}
        </Field>
        <Button variant="primary" type="submit" className="justify-self-start">
          {m.prompts_report_send()}
        </Button>
      </form>
    </details>
  );
}
