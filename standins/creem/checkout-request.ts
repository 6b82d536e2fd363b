import { isRecord } from '../http.ts';
import { CreemRefusal } from './api-errors.ts';
import type { Checkout } from './records.ts';
import type { Shop } from './shop.ts';
import { newId } from './store.ts';

const SUPPORTED = ['product_id', 'request_id', 'units', 'customer', 'success_url', 'metadata'];
const UNSUPPORTED = ['custom_price', 'discount_code', 'affiliate_code', 'custom_fields', 'custom_field'];

export function onlyProperties(body: Record<string, unknown>, names: readonly string[]): void {
  const other = Object.keys(body).find((name) => !names.includes(name));
  if (other) throw new CreemRefusal(400, `property ${other} should not exist`);
}

function text(body: Record<string, unknown>, name: string): string | null {
  const value = body[name];
  if (value === undefined) return null;
  if (typeof value !== 'string' || value === '') throw new CreemRefusal(400, `${name} must be a string`);
  return value;
}

function unitsOf(value: unknown): number {
  if (value === undefined) return 1;
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  throw new CreemRefusal(400, 'units must be a positive number');
}

function customerOf(shop: Shop, value: unknown): Pick<Checkout, 'customerId' | 'email' | 'name'> {
  if (value === undefined) return { customerId: null, email: null, name: null };
  if (!isRecord(value)) throw new CreemRefusal(400, 'customer must be an object');
  const id = text(value, 'id');
  const email = text(value, 'email');
  if (id && email) throw new CreemRefusal(400, 'customer must have either id or email, not both');
  const existing = shop.store.customers.get(id);
  if (id && !existing) throw new CreemRefusal(404, 'Customer not found');
  if (email && !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new CreemRefusal(400, 'customer.email must be an email');
  return { customerId: id, email: existing?.email ?? email, name: existing?.name ?? text(value, 'name') };
}

export function newCheckout(shop: Shop, body: Record<string, unknown>, apiKey: string): Checkout {
  onlyProperties(body, [...SUPPORTED, ...UNSUPPORTED]);
  const unsupported = UNSUPPORTED.find((name) => body[name] !== undefined);
  if (unsupported) throw new CreemRefusal(400, `The stand-in does not serve ${unsupported}`);
  if (text(body, 'product_id') === null) throw new CreemRefusal(400, 'product_id should not be empty');
  const metadata = body.metadata ?? {};
  if (!isRecord(metadata)) throw new CreemRefusal(400, 'metadata must be an object');
  const successUrl = text(body, 'success_url');
  if (successUrl !== null && !URL.canParse(successUrl))
    throw new CreemRefusal(400, 'success_url must be a URL address');
  return {
    id: newId('ch'),
    requestId: text(body, 'request_id'),
    productId: shop.product(body.product_id).id,
    units: unitsOf(body.units),
    ...customerOf(shop, body.customer),
    successUrl,
    metadata,
    status: 'pending',
    apiKey,
    orderId: null,
    subscriptionId: null,
    createdAt: shop.now(),
  };
}
