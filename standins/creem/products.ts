/** What the shop sells here, and how long a period is. */

export interface Product {
  id: string;
  name: string;
  description: string;
  price: number;
  currency: 'USD';
  period: 'every-month' | 'every-three-months' | 'every-year';
  months: number;
}

/** The plans of the specification (protocols.md 1.2). */
export const PRODUCTS: readonly Product[] = [
  {
    id: 'prod_monthly',
    name: 'Pro, monthly',
    description: 'Pro, paid every month.',
    price: 1999,
    currency: 'USD',
    period: 'every-month',
    months: 1,
  },
  {
    id: 'prod_quarterly',
    name: 'Pro, quarterly',
    description: 'Pro, paid every three months.',
    price: 3999,
    currency: 'USD',
    period: 'every-three-months',
    months: 3,
  },
  {
    id: 'prod_yearly',
    name: 'Pro, yearly',
    description: 'Pro, paid every year.',
    price: 6999,
    currency: 'USD',
    period: 'every-year',
    months: 12,
  },
];

/** When the products were made, for their dates. */
export const PRODUCTS_MADE_AT = Date.UTC(2026, 0, 15, 9, 30);

/** The product of that id, or undefined. */
export function productOf(id: string): Product | undefined {
  return PRODUCTS.find((product) => product.id === id);
}

/** `anchor` plus whole months, in UTC; a day that the month does not have becomes its last one. */
export function monthsAfter(anchor: number, months: number): number {
  const date = new Date(anchor);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}

/** Such as $19.99. */
export function money(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

/** Such as `every month`. */
export function periodText(product: Product): string {
  return product.period.replaceAll('-', ' ');
}
