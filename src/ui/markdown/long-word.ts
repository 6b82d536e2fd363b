const long = 400;

/**
 * While letters are kerned, Chromium lays out a run without a space in a time that grows with the square of its
 * length: 27,000 characters of base64 took 7 s.
 */
export function hasLongWord(text: string): boolean {
  let begun = 0;
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) <= 32) begun = at + 1;
    else if (at - begun >= long) return true;
  }
  return false;
}
