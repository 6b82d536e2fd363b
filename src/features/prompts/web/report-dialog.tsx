import { type FormEvent, useState } from 'react';
import { toast } from '#client/page-events.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { type Prompt, promptLimits, promptTexts } from '../contract.ts';
import { report } from './prompts-api.ts';
import { showRefusal } from './use-prompt-dialogs.ts';

export default function ReportDialog({ prompt, onClose }: { prompt: Prompt; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const [reason, setReason] = useState('');

  async function send(event: FormEvent, close: () => void) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      await report(prompt.id, reason);
      toast({ text: m.prompts_reported(), kind: 'success' });
      close();
    } catch (error) {
      showRefusal(error, promptTexts.report());
    }
    setBusy(false);
  }

  return (
    <Dialog title={m.prompts_report()} onClose={onClose}>
      {(close) => (
        <form onSubmit={(event) => void send(event, close)}>
          <div className="dialog-body field">
            <label className="label" htmlFor="report-reason">
              {m.prompts_report_what()}
            </label>
            <textarea
              className="textarea"
              id="report-reason"
              rows={4}
              required
              maxLength={promptLimits.reportLength}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </div>
          <div className="dialog-foot">
            <Button variant="ghost" size="lg" onClick={close}>
              {m.common_cancel()}
            </Button>
            <Button type="submit" variant="primary" size="lg" aria-busy={busy}>
              {m.prompts_report_send()}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
