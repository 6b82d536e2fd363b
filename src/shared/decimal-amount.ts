/** The format of files, tables and schema.org: 1234.50, without a currency. */
export const decimalAmount = (cents: number): string => (cents / 100).toFixed(2);
