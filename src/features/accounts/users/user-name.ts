/** In code points: an emoji made of several counts as several. */
export const maxNameLength = 80;

/**
 * Control, format and private-use characters (including direction marks and zero-width characters), line separators,
 * blank letters, lone surrogates. The two joiners are allowed where scripts and emoji need them: not at the start, and
 * not after Latin, Greek or Cyrillic letters, digits, spaces and punctuation.
 */
const hidden =
  /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|(?<=^|[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{N}\p{P}\p{Z}\u200c\u200d])[\u200c\u200d]/u;
const hiddenCharacters = new RegExp(hidden, 'gu');

const canBeSeen = (text: string) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

export function validName(text: string): string | null {
  const name = text.trim();
  if (!canBeSeen(name) || hidden.test(name)) return null;
  return [...name].length <= maxNameLength ? name : null;
}

/** Removes hidden characters from an external name and cuts it to the maximum length; null if nothing is left. */
export function sanitizeName(text: string | null | undefined): string | null {
  const plain = (text ?? '').replace(hiddenCharacters, ' ').replace(/\s+/g, ' ').trim();
  const cut = [...plain].slice(0, maxNameLength).join('').trim();
  return canBeSeen(cut) ? cut : null;
}
