import { useState } from 'react';
import UpgradeDialog from '../../../credits/web/upgrade-dialog.tsx';
import type { DialogProps } from '../dialogs.tsx';
import { reasonOf } from './reasons.ts';

/** The upgrade dialog of the chat, by what led to it. */
export default function ChatUpgradeDialog({ state: { me, dialog }, controls }: DialogProps) {
  const [openedAt] = useState(() => new Date());
  if (!me || dialog?.kind !== 'upgrade') return null;
  return <UpgradeDialog reason={reasonOf(dialog, me, openedAt)} onClose={() => controls.show(null)} />;
}
