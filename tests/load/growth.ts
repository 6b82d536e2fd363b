import http from 'node:http';
import type { Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { quantile, round } from './process.ts';
import { seedGrowth } from './seed-growth.ts';

/** Requests per row, after `WARM_UPS` that are not counted. */
const TRIES = 50;
const WARM_UPS = 2;

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

/** Returns the milliseconds from a request to the end of its response. Rejects for a status other than 200. */
export function timeRequest(url: string, headers: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const call = http.get(url, { agent, headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - startedAt);
        else reject(new Error(`${response.statusCode} for ${url}`));
      });
    });
    call.on('error', reject);
  });
}

export async function timesOf(
  what: string,
  time: () => Promise<number>,
  { tries = TRIES, warmUps = WARM_UPS } = {},
) {
  const times: number[] = [];
  for (let i = 0; i < tries + warmUps; i++) times.push(await time());
  const counted = times.slice(warmUps);
  return { what, 'median ms': round(quantile(counted, 0.5)), 'p95 ms': round(quantile(counted, 0.95)) };
}

/** Headers of a browser's page request. */
export const pageHeaders = { accept: 'text/html', 'accept-encoding': 'gzip, br' };

export async function measureGrowth(
  server: Pick<TestServer, 'url' | 'database'>,
  person: Person,
  longChat: string,
) {
  const first = (
    (await (await person.get(`/api/chats/${longChat}/export?format=json`)).json()) as {
      messages: Array<{ id: string }>;
    }
  ).messages[0]?.id;
  const list = async (pages: number) => {
    let before = '';
    for (let page = 1; page < pages; page++) {
      const { next } = (await (await person.get(`/api/chats${before}`)).json()) as { next: string };
      before = `?before=${encodeURIComponent(next)}`;
    }
    return `/api/chats${before}`;
  };
  const paths: Array<[string, string]> = [
    ['list of chats, first page', '/api/chats'],
    ['list of chats, fortieth page', await list(40)],
    ['search, a word of many', '/api/search?q=w0a'],
    ['search, two words', '/api/search?q=w0a%20w1b'],
    ['search, found nowhere', '/api/search?q=zzzqqq'],
    ['search, found in a title', '/api/search?q=Chat%20about%209999'],
    ['search, two letters of many', '/api/search?q=w0'],
    ['search, two letters found nowhere', '/api/search?q=zq'],
    ['search, two Chinese letters found nowhere', '/api/search?q=%E6%A1%A5%E6%A2%81'],
    ['/api/me/usage', '/api/me/usage'],
    ['/dashboard', '/dashboard'],
    ['/chat/new', '/chat/new'],
    ['/chat', '/chat'],
    ['long chat opened, API', `/api/chats/${longChat}`],
    ['long chat opened, page', `/chat/${longChat}`],
    ['long chat, its first message', `/api/chats/${longChat}?at=${first}`],
    ['long chat exported', `/api/chats/${longChat}/export`],
  ];
  const rows: Array<Awaited<ReturnType<typeof timesOf>>> = [];
  for (const [what, path] of paths) {
    const headers = { cookie: person.cookie, ...(path.startsWith('/api') ? {} : pageHeaders) };
    // Searches are rate-limited per person.
    await server.database.query('delete from rate_limits');
    rows.push(await timesOf(what, () => timeRequest(server.url + path, headers)));
  }
  return rows;
}

/** Measures pages of a warm server: after the warm-ups, times no longer change. */
export async function requestFigures(server: Pick<TestServer, 'url'>, person: Person) {
  const rows: Array<Awaited<ReturnType<typeof timesOf>>> = [];
  for (const what of ['/chat/new', '/dashboard', '/pricing']) {
    const headers = { cookie: person.cookie, ...pageHeaders };
    const time = () => timeRequest(server.url + what, headers);
    rows.push(await timesOf(what, time, { tries: 200, warmUps: 200 }));
  }
  return rows;
}

/** @param otherChats chats of ten messages that belong to a thousand other people. */
export async function growthFigures(server: TestServer, person: Person, otherChats: number) {
  const size = { chats: 10_000, otherChats, messages: 5_000, runs: 50_000 };
  const longChat = await seedGrowth(server.databaseUrl, person.id, size);
  return measureGrowth(server, person, longChat);
}
