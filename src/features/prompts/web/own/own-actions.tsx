import { useState } from 'react';
import { toast } from '../../../../client/page-events.ts';
import { type Prompt, promptTexts } from '../../contract.ts';
import { remove, restore, submit } from '../api.ts';
import { type Ask, tellRefusal } from '../wishes.ts';

interface OwnActionsProps {
  prompt: Prompt;
  ask: Ask;
  /** After a change; null when it was deleted. */
  onChanged: (prompt: Prompt | null) => void;
}

/** What one can do with a prompt of one's own: edit, submit or take back, delete with Undo. */
export function OwnActions({ prompt, ask, onChanged }: OwnActionsProps) {
  const [busy, setBusy] = useState(false);
  const { id, title, own } = prompt;
  if (!own) return null;

  async function attempt(work: () => Promise<void>) {
    if (busy) return;
    setBusy(true);
    await work().catch((error: unknown) => tellRefusal(error, promptTexts.upload));
    setBusy(false);
  }
  const put = (submitted: boolean) =>
    attempt(async () => {
      onChanged(await submit(id, submitted));
      toast({
        text: submitted ? 'Submitted. It is read before others see it.' : 'Only you see it now.',
        kind: 'success',
      });
    });
  const undo = () =>
    void restore(id)
      .then(onChanged)
      .catch((error: unknown) => tellRefusal(error, promptTexts.upload));
  const erase = () =>
    attempt(async () => {
      await remove(id);
      onChanged(null);
      toast({ text: `“${title}” was deleted.`, action: { label: 'Undo', run: undo } });
    });

  const isOut = own.state === 'pending' || own.state === 'approved';
  return (
    <>
      <button type="button" className="btn btn-ghost" onClick={() => ask({ kind: 'edit', prompt })}>
        Edit<span className="visually-hidden"> {title}</span>
      </button>
      {own.state === 'withdrawn' ? null : (
        <button type="button" className="btn btn-ghost" onClick={() => void put(!isOut)}>
          {own.state === 'approved' ? 'Unpublish' : isOut ? 'Take back' : 'Submit'}
          <span className="visually-hidden"> {title}</span>
        </button>
      )}
      <button type="button" className="btn btn-ghost" onClick={() => void erase()}>
        Delete<span className="visually-hidden"> {title}</span>
      </button>
    </>
  );
}

/** Why a prompt of one's own is not in the library, in the operator's words. */
export function Decision({ own }: Pick<Prompt, 'own'>) {
  if (!own?.reason) return null;
  return (
    <p className="notice notice-warning" dir="auto">
      {own.state === 'withdrawn' ? 'Taken out of the library: ' : 'Not published: '}
      {own.reason}
    </p>
  );
}
