import { featureTable } from '#features/credits/contract.ts';
import { canUse } from '#features/credits/web/price-label.ts';
import { defaultSize } from '#features/images/contract.ts';
import type { ChatProps } from '../state/chat-controls.ts';
import type { ChatState } from '../state/chat-state.ts';

export const offersImages = ({ open }: Pick<ChatState, 'open'>): boolean =>
  featureTable.image.offered && !open.temporary;

/** Makes the next message request an image. Without a plan that has images, offers an upgrade and returns false. */
export function startDrawing({ state, controls }: ChatProps): boolean {
  if (!canUse(state.me, 'image')) {
    controls.show({ kind: 'upgrade', cause: 'asked' });
    return false;
  }
  controls.draw(defaultSize);
  return true;
}
