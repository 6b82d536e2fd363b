/**
 * Where spreadsheets may recognize a formula: at the start of a cell. Depending on the settings, a cell also starts
 * after a semicolon, tab or line break, quoted or not.
 */
const formula = /(^|[;\t\r\n]["' ]*)(?=[=+\-@\t\r\n\0＝＋－＠])/g;

/** RFC 4180. An apostrophe turns a formula into plain text. */
export function csvCell(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const plain = (value ?? '').replace(formula, "$1'");
  return /[",;\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;
