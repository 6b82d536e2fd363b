import { lazy, Suspense } from 'react';
import type { Me } from '#features/accounts/contract.ts';
import { formatCredits } from '#features/credits/contract.ts';
import { m } from '#messages';
import type { Prompt } from '../contract.ts';
import type { DialogRequest } from './use-prompt-dialogs.ts';

const UseDialog = lazy(() => import('./fill-in-dialog.tsx'));
const EditorDialog = lazy(() => import('./prompt-editor-dialog.tsx'));
const ReportDialog = lazy(() => import('./report-dialog.tsx'));
const UpgradeDialog = lazy(() => import('#features/credits/web/upgrade-dialog.tsx'));

interface DialogsProps {
  open: DialogRequest | null;
  me: Me | null;
  onSaved: (saved: Prompt) => void;
  onUsed: () => void;
  onClose: () => void;
}

function Dialog({ open, me, onSaved, onUsed, onClose }: DialogsProps & { open: DialogRequest; me: Me }) {
  switch (open.kind) {
    case 'use':
      return <UseDialog prompt={open.prompt} userId={me.id} onUsed={onUsed} onClose={onClose} />;
    case 'edit':
      return <EditorDialog prompt={open.prompt} userId={me.id} onSaved={onSaved} onClose={onClose} />;
    case 'report':
      return <ReportDialog prompt={open.prompt} onClose={onClose} />;
    case 'unlock': {
      const reason = {
        title: m.prompts_pro_title(),
        text: m.prompts_pro_text({ title: open.prompt.title }),
        facts: [[m.upgrade_balance(), formatCredits(me.credits)]] as [string, string][],
      };
      return <UpgradeDialog reason={reason} onClose={onClose} />;
    }
  }
}

export function PromptDialogs({ open, me, ...rest }: DialogsProps) {
  if (!open || !me) return null;
  return (
    <Suspense fallback={null}>
      <Dialog open={open} me={me} {...rest} />
    </Suspense>
  );
}
