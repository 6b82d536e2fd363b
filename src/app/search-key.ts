import { local } from '#client/storage.ts';

const isLatin = /^[\x20-\x7e]+$/;

/** Uses the same rules as the chat's shortcuts, including the setting there that switches them off. */
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
