import type { BillingView, SubscriptionView } from '#features/billing/contract.ts';
import type { PlanDuration } from '#features/credits/contract.ts';
import type { Person } from './people.ts';
import { eventually, type TestServer } from './server.ts';

interface JsonAnswer<T> {
  status: number;
  data: T & { error?: string; code?: string };
}

/** The part of the payment stand-in's state that tests read. */
export interface ProviderState {
  /** The provider's clock, in milliseconds since 1970. */
  now: number;
  checkouts: {
    id: string;
    requestId: string;
    productId: string;
    email: string;
    status: string;
    orderId: string | null;
  }[];
  subscriptions: { id: string; status: string; metadata: Record<string, string>; product: { id: string } }[];
  transactions: {
    id: string;
    order: string | null;
    subscription: string | null;
    amount: number;
    status: string;
  }[];
  refunds: { id: string; transactionId: string; amount: number; status: string }[];
}

/** A paid pack: our checkout, the provider's order and payment, and the URL the browser was sent back to. */
export interface BoughtPack {
  checkoutId: string;
  order: string;
  payment: string;
  returnUrl: URL;
}

/** Posts JSON as a person, and returns the status and the JSON of the response. */
export async function postJson<T>(
  person: Pick<Person, 'send'>,
  path: string,
  body?: unknown,
): Promise<JsonAnswer<T>> {
  const response = await person.send('POST', path, body);
  return { status: response.status, data: (await response.json()) as JsonAnswer<T>['data'] };
}

/** Payment steps of people and of the provider's operator, for a server with its own stand-ins. */
export function payments(server: Pick<TestServer, 'standins'>) {
  async function control(body: object): Promise<void> {
    const response = await fetch(`${server.standins}/control`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`The stand-in refused a switch: ${await response.text()}`);
  }

  const begin = (person: Pick<Person, 'send'>, plan: PlanDuration) =>
    postJson<{ url: string }>(person, '/api/checkouts', { plan });

  /** Presses a button of the provider's page, and returns the URL that it redirects to. */
  async function press(url: string, fields: Record<string, string> = {}): Promise<string> {
    const body = new URLSearchParams({ action: 'pay', ...fields });
    const response = await fetch(url, { method: 'POST', redirect: 'manual', body });
    const location = response.headers.get('location');
    if (response.status !== 303 || !location) throw new Error(`Not paid: ${response.status}`);
    return new URL(location, url).href;
  }

  const billing = async (person: Pick<Person, 'get'>) =>
    (await (await person.get('/api/subscription')).json()) as BillingView;

  const providerState = async () =>
    (await (await fetch(`${server.standins}/creem/state`)).json()) as ProviderState;

  /** Pays for a pack, by default of 100 credits, without waiting until the site knows of it. */
  async function payPack(person: Person, pack = 'prod_credits_100'): Promise<BoughtPack> {
    const { status, data } = await postJson<{ url: string }>(person, '/api/checkouts', { pack });
    if (status !== 200) throw new Error(`No checkout: ${status} ${data.error}`);
    const returnUrl = new URL(await press(data.url));
    const { transactions } = await providerState();
    const order = returnUrl.searchParams.get('order_id') ?? '';
    const payment = transactions.find((each) => each.order === order)?.id ?? '';
    return { checkoutId: returnUrl.searchParams.get('checkout') ?? '', order, payment, returnUrl };
  }

  return {
    control,
    payPack,
    /** Buys a pack and waits until the site has recorded it. */
    async buyPack(person: Person, pack?: string): Promise<BoughtPack> {
      const paid = await payPack(person, pack);
      await eventually(async () =>
        (await billing(person)).packs.some(({ checkoutId }) => checkoutId === paid.checkoutId),
      );
      return paid;
    },
    /** Sets switches of the provider, such as `{ api: { fault: 'lost', path: '/v1/refunds', times: 1 } }`. */
    creem: (switches: object) => control({ creem: switches }),
    begin,
    press,
    billing,
    providerState: providerState,
    /** Buys a plan and waits until the site has recorded it. */
    async buy(person: Person, plan: PlanDuration = 'monthly', card = 'good'): Promise<SubscriptionView> {
      const { status, data } = await begin(person, plan);
      if (status !== 200) throw new Error(`No checkout: ${status} ${data.error}`);
      await press(data.url, { card });
      return eventually(async () => {
        const view = await billing(person);
        return view.plan === 'pro' && view.subscriptions[0]?.periodEnd ? view.subscriptions[0] : null;
      });
    },
  };
}

/** Returns the plan that the server reports for a person. */
export async function planOf(person: Pick<Person, 'get'>): Promise<string> {
  return ((await (await person.get('/api/me')).json()) as { plan: string }).plan;
}

async function now(server: TestServer): Promise<number> {
  const { rows } = await server.database.query<{ now: Date }>('select app_now() as now');
  return rows[0]?.now.getTime() ?? 0;
}

/** Moves the clock of the stand-ins and waits until the site has followed it. */
export async function advanceClock(server: TestServer, ms: number): Promise<void> {
  const before = await now(server);
  await payments(server).control({ clock: { advanceMs: ms } });
  await eventually(async () => (await now(server)) - before >= ms);
}

/** Extends a person's sessions by 20 years, so that tests can move the clock by a year. */
export async function extendSessions(server: TestServer, email: string): Promise<void> {
  await server.database.query(
    `update sessions set expires_at = app_now() + interval '20 years', last_seen_at = app_now()
      where user_id = (select id from users where email = $1)`,
    [email],
  );
}
