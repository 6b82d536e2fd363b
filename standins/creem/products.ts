export interface Product {
  id: string;
  name: string;
  description: string;
  price: number;
  currency: 'USD';
  period: 'every-month' | 'every-three-months' | 'every-year' | 'once';
  /** Length of a period; 0: paid once. */
  months: number;
}

function product(
  id: string,
  name: string,
  price: number,
  period: Product['period'],
  months: number,
): Product {
  const description = `Pro, paid ${period.replaceAll('-', ' ')}.`;
  return { id, name: `Pro, ${name}`, description, price, currency: 'USD', period, months };
}

function pack(id: string, credits: number, price: number): Product {
  const description = `${credits} credits, paid once.`;
  return { id, name: `${credits} credits`, description, price, currency: 'USD', period: 'once', months: 0 };
}

/** protocols.md 1.2. */
export const PRODUCTS: readonly Product[] = [
  product('prod_monthly', 'monthly', 1999, 'every-month', 1),
  product('prod_quarterly', 'quarterly', 3999, 'every-three-months', 3),
  product('prod_yearly', 'yearly', 6999, 'every-year', 12),
  pack('prod_credits_100', 100, 499),
  pack('prod_credits_500', 500, 1999),
];

export const isOnce = ({ period }: Product): boolean => period === 'once';

export const PRODUCTS_CREATED_AT = Date.UTC(2026, 0, 15, 9, 30);

export function productOf(id: string): Product | undefined {
  return PRODUCTS.find((product) => product.id === id);
}

/** Adds months in UTC; a day that the month does not have becomes its last one. */
export function monthsAfter(anchor: number, months: number): number {
  const date = new Date(anchor);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}

export function money(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

export function periodText(product: Product): string {
  return isOnce(product) ? 'once' : `${product.period.replaceAll('-', ' ')}, until it is cancelled`;
}
