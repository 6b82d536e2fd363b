/**
 * Where a spreadsheet may take what follows for a formula: at the start of a cell, which in other settings begins
 * after a semicolon, tab or line break, quoted or not.
 */
const formula = /(^|[;\t\r\n]["' ]*)(?=[=+\-@\t\r\n\0＝＋－＠])/g;

/** RFC 4180; an apostrophe makes plain text of a formula. */
export function csvCell(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const plain = (value ?? '').replace(formula, "$1'");
  return /[",;\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;
