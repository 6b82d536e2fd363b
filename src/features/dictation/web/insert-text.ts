/** Scripts that don't separate words with spaces. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** Returns the separator between two consecutive texts. */
function separator(before: string, after: string): string {
  const last = before.at(-1);
  const first = after.at(0);
  if (last === undefined || first === undefined || /\s/.test(last) || /\s/.test(first)) return '';
  return unspaced.test(last) || unspaced.test(first) || !isWord(first) ? '' : ' ';
}

/** Returns `dictated` with the separators that it needs between the two texts. */
export const spacedText = (before: string, dictated: string, after: string): string =>
  `${separator(before, dictated)}${dictated}${separator(dictated, after)}`;

/** Inserts at the caret, after any selection, so that nothing is overwritten. Fires an input event as for typing. */
export function insertText(box: HTMLTextAreaElement, dictated: string): void {
  const { value, selectionEnd: at } = box;
  const text = spacedText(value.slice(0, at), dictated, value.slice(at));
  box.setRangeText(text, at, at, 'end');
  box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }));
}
