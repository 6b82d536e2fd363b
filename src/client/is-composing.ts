import type { KeyboardEvent } from 'react';

/** Safari ends a composition before the key event that ended it; the key code is then 229. */
export const isComposing = ({ nativeEvent, keyCode }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || keyCode === 229;
