import { showError } from '#client/show-error.ts';
import type { ShareTarget } from './share-dialog.tsx';

/** Loads the dialog on demand. */
export async function openShare(shared: ShareTarget): Promise<void> {
  try {
    const { openShareDialog } = await import('./share-dialog.tsx');
    openShareDialog(shared);
  } catch (error) {
    showError(error);
  }
}
