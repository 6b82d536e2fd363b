import { useState } from 'react';
import { toast } from '#client/page-events.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { type Prompt, promptTexts } from '../contract.ts';
import { remove, restore, submit } from './prompts-api.ts';
import { type OpenPromptDialog, showRefusal } from './use-prompt-dialogs.ts';

interface OwnPromptActionsProps {
  prompt: Prompt;
  openDialog: OpenPromptDialog;
  onChanged: (prompt: Prompt | null) => void;
}

export function OwnPromptActions({ prompt, openDialog, onChanged }: OwnPromptActionsProps) {
  const [busy, setBusy] = useState(false);
  const { id, title, own } = prompt;
  if (!own) return null;

  async function attempt(work: () => Promise<void>) {
    if (busy) return;
    setBusy(true);
    await work().catch((error: unknown) => showRefusal(error, promptTexts.upload()));
    setBusy(false);
  }
  const changeSubmission = (submitted: boolean) =>
    attempt(async () => {
      onChanged(await submit(id, submitted));
      toast({ text: submitted ? m.prompts_submitted() : m.prompts_private_now(), kind: 'success' });
    });
  const undo = () =>
    void restore(id)
      .then(onChanged)
      .catch((error: unknown) => showRefusal(error, promptTexts.upload()));
  const deletePrompt = () =>
    attempt(async () => {
      await remove(id);
      onChanged(null);
      toast({ text: m.prompts_deleted({ title }), action: { label: m.common_undo(), run: undo } });
    });

  const isSubmitted = own.state === 'pending' || own.state === 'approved';
  const [publishLabel, namedLabel] =
    own.state === 'approved'
      ? [m.prompts_unpublish(), m.prompts_unpublish_named({ title })]
      : isSubmitted
        ? [m.prompts_withdraw(), m.prompts_withdraw_named({ title })]
        : [m.prompts_submit(), m.prompts_submit_named({ title })];
  return (
    <>
      <Button
        variant="ghost"
        aria-label={m.prompts_edit_named({ title })}
        onClick={() => openDialog({ kind: 'edit', prompt })}
      >
        {m.common_edit()}
      </Button>
      {own.state === 'withdrawn' ? null : (
        <Button variant="ghost" aria-label={namedLabel} onClick={() => void changeSubmission(!isSubmitted)}>
          {publishLabel}
        </Button>
      )}
      <Button
        variant="ghost"
        aria-label={m.common_delete_named({ title })}
        onClick={() => void deletePrompt()}
      >
        {m.common_delete()}
      </Button>
    </>
  );
}

export function ModerationNotice({ own }: Pick<Prompt, 'own'>) {
  if (!own?.reason) return null;
  return (
    <Notice kind="warning" dir="auto">
      {own.state === 'withdrawn'
        ? m.prompts_reason_withdrawn({ reason: own.reason })
        : m.prompts_reason_rejected({ reason: own.reason })}
    </Notice>
  );
}
