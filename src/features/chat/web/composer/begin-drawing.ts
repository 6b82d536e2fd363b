import { featureTable } from '#features/credits/contract.ts';
import { canUse } from '#features/credits/web/price-label.ts';
import { defaultSize } from '#features/images/contract.ts';
import type { ChatProps } from '../state/chat-controls.ts';
import type { ChatState } from '../state/chat-state.ts';

/** Whether images are offered in this chat. */
export const offersImages = ({ open }: Pick<ChatState, 'open'>): boolean =>
  featureTable.image.offered && !open.temporary;

/** The next message is to be answered by an image; without a plan that has images, the words of the upgrade. */
export function beginDrawing({ state, controls }: ChatProps): boolean {
  if (!canUse(state.me, 'image')) {
    controls.show({ kind: 'upgrade', cause: 'asked' });
    return false;
  }
  controls.draw(defaultSize);
  return true;
}
