/** A cell of RFC 4180. A text that a spreadsheet would take for a formula is made plain by an apostrophe. */
export function csvCell(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const plain = /^[=+\-@\t\r\n\0＝＋－＠]/.test(value ?? '') ? `'${value}` : (value ?? '');
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** A line of RFC 4180 with its end. */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;
