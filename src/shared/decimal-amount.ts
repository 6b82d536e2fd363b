/** As files, tables and schema.org write an amount: 1234.50, without a currency. */
export const decimalAmount = (cents: number): string => (cents / 100).toFixed(2);
