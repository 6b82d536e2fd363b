import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  body: Json;
}

export interface StateEvent {
  id: string;
  type: string;
  createdAt: number;
  subscriptionId: string | null;
  body: string;
  deliveries: {
    kind: string;
    state: string;
    attempts: { status: number | null; error: string | null }[];
  }[];
}

export interface CreemState {
  now: number;
  pending: number;
  checkouts: Json[];
  subscriptions: Json[];
  transactions: Json[];
  refunds: Json[];
  disputes: Json[];
  events: StateEvent[];
}

export class Shopper {
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  async call(method: string, path: string, body?: Json, key = 'creem_test_x'): Promise<Answer> {
    const headers = { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) };
    const response = await fetch(`${this.#base}/creem${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: (await response.json()) as Json };
  }

  async control(patch: Json): Promise<Answer> {
    const response = await fetch(`${this.#base}/control`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(patch),
    });
    return { status: response.status, body: (await response.json()) as Json };
  }

  forward(days: number): Promise<Answer> {
    return this.control({ clock: { advanceMs: days * 86_400_000 } });
  }

  async state(): Promise<CreemState> {
    return (await (await fetch(`${this.#base}/creem/state?events=1`)).json()) as CreemState;
  }

  async pending(): Promise<number> {
    return ((await (await fetch(`${this.#base}/creem/deliveries`)).json()) as { pending: number }).pending;
  }

  async checkout(fields: Json = {}): Promise<Json> {
    const { body } = await this.call('POST', '/v1/checkouts', {
      product_id: 'prod_monthly',
      request_id: 'order-1',
      customer: { email: `buyer-${crypto.randomUUID()}@example.com` },
      success_url: 'http://127.0.0.1:9/dashboard?payment=success&plan=monthly',
      metadata: { userId: 'u1', checkoutId: 'order-1' },
      ...fields,
    });
    return body;
  }

  press(
    url: unknown,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(String(url), {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
      headers,
    });
  }

  async buy(
    fields: Json = {},
    card = 'good',
  ): Promise<{ checkout: string; subscription: string; customer: string }> {
    const { id, checkout_url } = await this.checkout(fields);
    await this.press(checkout_url, { action: 'pay', card });
    const { body } = await this.call('GET', `/v1/checkouts?checkout_id=${id}`);
    const subscription = (body.subscription as Json).id as string;
    return { checkout: id as string, subscription, customer: (body.customer as Json).id as string };
  }

  async subscription(id: string): Promise<Json> {
    return (await this.call('GET', `/v1/subscriptions?subscription_id=${id}`)).body;
  }
}

export interface Received {
  headers: Record<string, string>;
  body: string;
  event: { id: string; eventType: string; created_at: number; object: Json };
}

export interface WebhookSite {
  url: string;
  received: Received[];
  answer: (delivery: Received) => number;
  close(): void;
}

export async function webhookSite(): Promise<WebhookSite> {
  const server = createServer(async (req, res) => {
    let body = '';
    for await (const part of req) body += String(part);
    const headers = req.headers as Record<string, string>;
    const delivery: Received = { headers, body, event: JSON.parse(body) };
    site.received.push(delivery);
    res.writeHead(req.url === '/api/webhooks/creem' ? site.answer(delivery) : 404).end();
  });
  const site: WebhookSite = {
    url: '',
    received: [],
    answer: () => 200,
    close: () => server.closeAllConnections(),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  site.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return site;
}
