import type { Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { pageHeaders, timeRequest, timesOf } from './growth.ts';
import { seedLibrary } from './seed-library.ts';

/** Measures the first results of a library with 100,000 items. */
export async function libraryFigures(server: TestServer, person: Person) {
  const { project, tag, largeTag } = await seedLibrary(server.databaseUrl, person.id);
  const { next } = (await (await person.get('/api/library')).json()) as { next: string };
  const paths: Array<[string, string]> = [
    ['all kinds, newest', ''],
    ['all kinds, second page', `?after=${encodeURIComponent(next)}`],
    ['all kinds, oldest', '?sort=oldest'],
    ['all kinds, by name', '?sort=name'],
    ['images', '?kind=image'],
    ['files', '?kind=file'],
    ['files, a word of many', '?kind=file&q=w0a'],
    ['a project of 3,000 chats', `?project=${project}`],
    ['a project, by name', `?project=${project}&sort=name`],
    ['a project, a word of many', `?project=${project}&q=w0a`],
    ['a tag on 300 items', `?tag=${tag}`],
    ['a tag on 5,000 items', `?tag=${largeTag}`],
    ['a tag on 5,000 items, by name', `?tag=${largeTag}&sort=name`],
    ['a tag on 5,000 items, a word of many', `?tag=${largeTag}&q=w0a`],
    ['found nowhere', '?q=zzzqqq'],
    ['found in a title', '?q=chat%20about%2059999'],
    ['a word of many', '?q=w0a'],
    ['a word of many, by name', '?q=w0a&sort=name'],
    ['two words of many', '?q=w0a%20w1b'],
    ['three words', '?q=w0a1%20w1b2%20w2c3'],
    ['two letters of many', '?q=w0'],
  ];
  const rows: Array<Awaited<ReturnType<typeof timesOf>>> = [];
  for (const [label, query] of paths) {
    // Searches are rate-limited per person.
    await server.database.query('delete from rate_limits');
    rows.push(
      await timesOf(label, () => timeRequest(`${server.url}/api/library${query}`, { cookie: person.cookie })),
    );
  }
  const headers = { cookie: person.cookie, ...pageHeaders };
  await server.database.query('delete from rate_limits');
  rows.push(
    await timesOf('Ctrl+K, a word of many', () =>
      timeRequest(`${server.url}/api/search?q=w0a`, { cookie: person.cookie }),
    ),
  );
  rows.push(await timesOf('the page', () => timeRequest(`${server.url}/library`, headers)));
  rows.push(await timesOf('the dashboard', () => timeRequest(`${server.url}/dashboard`, headers)));
  return rows;
}
