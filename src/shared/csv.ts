/**
 * Where a spreadsheet may take what follows for a formula: at the start of a cell, and after a semicolon, tab or line
 * break, at which one of another language or with other settings begins a cell, quoted or not.
 */
const formula = /(^|[;\t\r\n]["' ]*)(?=[=+\-@\t\r\n\0＝＋－＠])/g;

/** A cell of RFC 4180. A text that a spreadsheet would take for a formula is made plain by an apostrophe. */
export function csvCell(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const plain = (value ?? '').replace(formula, "$1'");
  return /[",;\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;
