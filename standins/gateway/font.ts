/** Capital letters, digits and the hyphen on a grid of 5 by 7: the character, then seven rows as base-32 digits. */
const GLYPHS = `
  Aehhvhhh Buhhuhhu Cehggghe Duhhhhhu Evgguggv Fvgguggg Gehgnhhf Hhhhvhhh Ie44444e J72222ic Khikokih
  Lggggggv Mhrllhhh Nhpljhhh Oehhhhhe Puhhuggg Qehhhlid Ruhhukih Sfgge11u Tv444444 Uhhhhhhe Vhhhhha4
  Whhhllrh Xhha4ahh Yhha4444 Zv1248gv 0ehjlphe 14c4444e 2eh168gv 3u11e11u 426aiv22 5vgu11he 668guhhe
  7v124888 8ehhehhe 9ehhf12c -000v000
`;

const rows = new Map<string, number[]>();
for (const glyph of GLYPHS.trim().split(/\s+/))
  rows.set(
    glyph[0]!,
    [...glyph.slice(1)].map((digit) => Number.parseInt(digit, 32)),
  );

export const GLYPH_WIDTH = 6;
export const GLYPH_HEIGHT = 7;

/** Calls `dot` for each dark cell of a line of text; unknown characters are left blank. */
export function eachDot(text: string, dot: (column: number, row: number) => void): void {
  [...text.toUpperCase()].forEach((character, index) => {
    rows.get(character)?.forEach((bits, row) => {
      for (let bit = 0; bit < 5; bit++) if (bits & (16 >> bit)) dot(index * GLYPH_WIDTH + bit, row);
    });
  });
}
