import { control, DemoError, type DemoSite, waitFor } from './site.ts';

/** A signed-in person, whose methods make HTTP requests as a page of the site does. */
export interface Member {
  /** `session=...`, for a browser. */
  cookie: string;
  read<T>(path: string): Promise<T>;
  bytes(path: string): Promise<Buffer>;
  /** Returns null for 404. */
  find<T>(path: string): Promise<T | null>;
  write<T>(method: string, path: string, body?: unknown, key?: string): Promise<T>;
  /** Sends the bytes unchanged. */
  upload<T>(path: string, bytes: Uint8Array): Promise<T>;
  /** Starts a run under an idempotency key, with `says` as the gateway's reply, and waits for its end. */
  work<T extends Started>(path: string, body: unknown, key: string, says?: string | null): Promise<T>;
}

export interface Started {
  generation: { id: string; state: string };
}

async function sent<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

async function newestCode(site: DemoSite, email: string, known: number): Promise<string> {
  const mail = await waitFor(`the sign-in mail to ${email}`, async () => {
    const mails = (await (
      await fetch(`${site.standins}/mail/messages?to=${encodeURIComponent(email)}`)
    ).json()) as { text: string }[];
    return mails.length > known ? (mails[0] ?? null) : null;
  });
  const code = /^(\d{6})$/m.exec(mail.text)?.[1];
  if (!code) throw new Error(`The mail to ${email} holds no code.`);
  return code;
}

/** Signs in by mail, which creates the account if there is none. */
export async function signIn(site: DemoSite, email: string): Promise<Member> {
  const headers = { 'content-type': 'application/json', origin: site.url };
  const mails = `${site.standins}/mail/messages?to=${encodeURIComponent(email)}`;
  const known = ((await (await fetch(mails)).json()) as unknown[]).length;
  const post = (path: string, body: object) =>
    fetch(site.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const asked = await post('/api/sign-in/email', { email });
  if (asked.status === 429)
    throw new DemoError(`${email} has asked for too many sign-in links; try again in a quarter of an hour.`);
  await sent(asked);
  const code = await newestCode(site, email, known);
  const response = await post('/api/sign-in/code', { email, code });
  const cookie =
    response.headers
      .getSetCookie()
      .find((line) => line.startsWith('session='))
      ?.split(';')[0] ?? '';
  await sent(response);
  return member(site, cookie);
}

function member(site: DemoSite, cookie: string): Member {
  const headers = { cookie, origin: site.url };
  const get = (path: string) => fetch(site.url + path, { headers });
  const write = async <T>(method: string, path: string, body?: unknown, key?: string) =>
    sent<T>(
      await fetch(site.url + path, {
        method,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key, prefer: 'respond-async' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      }),
    );
  const read = async <T>(path: string) => sent<T>(await get(path));
  return {
    cookie,
    read,
    bytes: async (path) => Buffer.from(await (await get(path)).arrayBuffer()),
    write,
    async find<T>(path: string) {
      const response = await get(path);
      return response.status === 404 ? null : sent<T>(response);
    },
    upload: async (path, bytes) =>
      sent(await fetch(site.url + path, { method: 'POST', headers, body: new Uint8Array(bytes) })),
    async work<T extends Started>(path: string, body: unknown, key: string, says: string | null = null) {
      await control(site, { says });
      const started = await write<T>('POST', path, body, key);
      const { id } = started.generation;
      const { state } = await waitFor(`the end of ${key}`, async () => {
        const view = await read<{ state: string }>(`/api/generations/${id}`);
        return !['queued', 'running'].includes(view.state) && view;
      });
      if (state !== 'done') throw new Error(`${key} ended ${state}.`);
      return started;
    },
  };
}
