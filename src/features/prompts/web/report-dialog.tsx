import { type FormEvent, useState } from 'react';
import { toast } from '../../../client/page-events.ts';
import { Modal } from '../../../ui/modal.tsx';
import { type Prompt, promptLimits, promptTexts } from '../contract.ts';
import { report } from './api.ts';
import { tellRefusal } from './wishes.ts';

/** Tells the operator what is wrong with a prompt of the community. */
export default function ReportDialog({ prompt, onClose }: { prompt: Prompt; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const [reason, setReason] = useState('');

  async function send(event: FormEvent, close: () => void) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      await report(prompt.id, reason);
      toast({ text: 'Thank you. Somebody will look at it.', kind: 'success' });
      close();
    } catch (error) {
      tellRefusal(error, promptTexts.report);
    }
    setBusy(false);
  }

  return (
    <Modal title="Report this prompt" onClose={onClose}>
      {(close) => (
        <form onSubmit={(event) => void send(event, close)}>
          <div className="dialog-body field">
            <label className="label" htmlFor="report-reason">
              What is wrong with it?
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
            <button type="button" className="btn btn-ghost btn-lg" onClick={close}>
              Cancel
            </button>
            <button type="submit" className="btn btn-primary btn-lg" aria-busy={busy}>
              Send report
            </button>
          </div>
        </form>
      )}
    </Modal>
  );
}
