const touchOnly = '(pointer: coarse) and (not (any-pointer: fine))';

/** Whether the device has nothing finer than fingers: Enter breaks lines there, and a focus would raise the keyboard. */
export const isTouchOnly = () => matchMedia(touchOnly).matches;
