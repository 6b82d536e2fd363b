import { local } from '#client/storage.ts';

const isLatin = /^[\x20-\x7e]+$/;

/** As the shortcuts of the chat read it, which one may have switched off there. */
export function isSearchKey({
  key,
  code,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
  repeat,
}: KeyboardEvent): boolean {
  const apple = /Mac|iPhone|iPad/.test(navigator.platform);
  if ((apple ? ctrlKey || !metaKey : metaKey || !ctrlKey) || altKey || shiftKey || repeat) return false;
  if (local.getItem('shortcuts') === 'off') return false;
  return key.toLowerCase() === 'k' || (code === 'KeyK' && !isLatin.test(key));
}
