import type { PlanDuration } from '../../src/features/credits/contract.ts';
import type { Person } from './people.ts';
import { eventually, type TestServer } from './server.ts';

/** Opens a checkout as the page does, and pays at the stand-in as its page does; the webhooks come by themselves. */
export async function pay(person: Pick<Person, 'send'>, plan: PlanDuration): Promise<void> {
  const opened = await person.send('POST', '/api/checkouts', { plan });
  const { url } = (await opened.json()) as { url?: string };
  if (!url) throw new Error(`No checkout was opened: ${opened.status}`);
  const paid = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ action: 'pay' }),
  });
  if (paid.status !== 303) throw new Error(`The stand-in did not take the payment: ${paid.status}`);
}

/** The plan of a person, as the server says it. */
export async function planOf(person: Pick<Person, 'get'>): Promise<string> {
  return ((await (await person.get('/api/me')).json()) as { plan: string }).plan;
}

/** Pays, and waits until the person is Pro by it. */
export async function buy(person: Pick<Person, 'get' | 'send'>, plan: PlanDuration): Promise<void> {
  await pay(person, plan);
  await eventually(async () => (await planOf(person)) === 'pro');
}

/** Sets switches of a stand-in, or does things there. */
export async function control(server: TestServer, name: 'creem' | 'mail', switches: object): Promise<void> {
  const response = await fetch(`${server.standins}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ [name]: switches }),
  });
  if (!response.ok) throw new Error(`The stand-in refused the switches: ${await response.text()}`);
}
