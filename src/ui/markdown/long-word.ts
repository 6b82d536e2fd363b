const maxLength = 400;

/**
 * With kerning, Chromium needs quadratic time to lay out a run without spaces: 27,000 characters of base64 took 7 s.
 */
export function hasLongWord(text: string): boolean {
  let wordStart = 0;
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) <= 32) wordStart = at + 1;
    else if (at - wordStart >= maxLength) return true;
  }
  return false;
}
