/** In code points: an emoji of several counts as several. */
export const maxNameLength = 80;

/**
 * What no name has: control, format and private characters (those that turn the direction of the text around them and
 * those without width among them), line separators, letters that show nothing, lone surrogates. The two joiners stay
 * where scripts and emoji need them, not at the start and not after Latin, Greek or Cyrillic letters, digits, spaces
 * and punctuation, where they only hide.
 */
const hidden =
  /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|(?<=^|[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{N}\p{P}\p{Z}\u200c\u200d])[\u200c\u200d]/u;
const hiddenCharacters = new RegExp(hidden, 'gu');

const canBeSeen = (text: string) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** Null when it is empty, too long or has something hidden. */
export function validName(text: string): string | null {
  const name = text.trim();
  if (!canBeSeen(name) || hidden.test(name)) return null;
  return [...name].length <= maxNameLength ? name : null;
}

/** A name from outside as it is kept: without what is hidden, cut. Null when nothing that can be seen is left. */
export function sanitizeName(text: string | null | undefined): string | null {
  const plain = (text ?? '').replace(hiddenCharacters, ' ').replace(/\s+/g, ' ').trim();
  const cut = [...plain].slice(0, maxNameLength).join('').trim();
  return canBeSeen(cut) ? cut : null;
}
