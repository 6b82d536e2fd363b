import { Share2 } from 'lucide-react';
import { m } from '#messages';
import { MenuItem } from '#ui/menu.tsx';
import { openShare } from './open-share.ts';
import type { ShareTarget } from './share-dialog.tsx';

interface ShareItemProps {
  shared: ShareTarget;
  /** Saves or closes something first; null means that this failed and the error was shown. */
  before?: () => unknown;
}

export function ShareItem({ shared, before }: ShareItemProps) {
  const open = async () => {
    if (before && (await before()) === null) return;
    await openShare(shared);
  };
  return (
    <MenuItem onClick={() => void open()}>
      <Share2 size={16} strokeWidth={1.75} aria-hidden="true" />
      {m.share_menu()}
    </MenuItem>
  );
}
