export interface Line {
  text: string;
  from: number;
  to: number;
}

const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\ufeff\u2028\u2029]/;

/**
 * Splits into lines. Removes boneyards (`/*`); an unclosed one is text. Expands tabs to four spaces and
 * drops control characters.
 */
export function linesOf(source: string): Line[] {
  const lines: Line[] = [];
  const lastClose = source.lastIndexOf('*/');
  let text = '';
  // A slash is held back, because with the next character, even after a boneyard, it may open one.
  let slash = false;
  let from = 0;
  const add = (characters: string) => {
    if (slash) text += '/';
    slash = characters === '/';
    if (!slash) text += characters;
  };
  const end = (to: number, next: number) => {
    add('');
    lines.push({ text, from, to });
    text = '';
    from = next;
  };
  for (let at = 0; at < source.length; at++) {
    const character = source[at]!;
    if (character === '\r' || character === '\n') {
      const isCrLf = character === '\r' && source[at + 1] === '\n';
      end(at, at + (isCrLf ? 2 : 1));
      if (isCrLf) at++;
    } else if (character === '*' && slash && lastClose > at) {
      slash = false;
      at = source.indexOf('*/', at + 1) + 1;
    } else if (character === '\t') add('    ');
    else if (!INVISIBLE.test(character)) add(character);
  }
  end(source.length, source.length);
  return lines;
}
