import { lazy, Suspense } from 'react';
import type { Me } from '../../accounts/contract.ts';
import { inCredits } from '../../credits/contract.ts';
import type { Prompt } from '../contract.ts';
import type { Wish } from './wishes.ts';

const UseDialog = lazy(() => import('./use/use-dialog.tsx'));
const EditorDialog = lazy(() => import('./own/editor-dialog.tsx'));
const ReportDialog = lazy(() => import('./report-dialog.tsx'));
const UpgradeDialog = lazy(() => import('../../credits/web/upgrade-dialog.tsx'));

interface DialogsProps {
  open: Wish | null;
  me: Me | null;
  onSaved: (saved: Prompt) => void;
  /** The prompt was used, and the page stays. */
  onUsed: () => void;
  onClose: () => void;
}

function Dialog({ open, me, onSaved, onUsed, onClose }: DialogsProps & { open: Wish; me: Me }) {
  switch (open.kind) {
    case 'use':
      return <UseDialog prompt={open.prompt} userId={me.id} onUsed={onUsed} onClose={onClose} />;
    case 'edit':
      return <EditorDialog prompt={open.prompt} userId={me.id} onSaved={onSaved} onClose={onClose} />;
    case 'report':
      return <ReportDialog prompt={open.prompt} onClose={onClose} />;
    case 'unlock': {
      const reason = {
        title: 'This prompt is part of Pro',
        text: `“${open.prompt.title}” and the other prompts marked Pro are for subscribers. All others are free to use.`,
        facts: [['Your balance', inCredits(me.credits)]] as [string, string][],
      };
      return <UpgradeDialog reason={reason} onClose={onClose} />;
    }
  }
}

/** The dialog that was asked for, loaded with its first use. */
export function Dialogs({ open, me, ...rest }: DialogsProps) {
  if (!open || !me) return null;
  return (
    <Suspense fallback={null}>
      <Dialog open={open} me={me} {...rest} />
    </Suspense>
  );
}
