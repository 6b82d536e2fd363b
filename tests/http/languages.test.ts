import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Locale, locales } from '#messages';
import { baseLanguage, localizedPath, splitLanguage, textDirection } from '#shared/language-path.ts';
import { downloadArchive } from '../support/archive.ts';
import { uniqueWord } from '../support/chat.ts';
import { siteMapPaths } from '../support/crawl.ts';
import { elementsOf, visibleText } from '../support/html.ts';
import { drawImages, getJob, quick } from '../support/images.ts';
import { mailTo } from '../support/mailbox.ts';
import { client, createPerson } from '../support/people.ts';
import { seedDocument } from '../support/seed-document.ts';
import { seedPlan } from '../support/seed-plan.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { thingsIn } from '../support/structured-data.ts';
import { network, newAddress } from '../support/visitor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env: { TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => server.stop());

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { redirect: 'manual', headers: { accept: 'text/html', ...headers } });
const languageOf = async (response: Response) => /<html lang="([^"]+)"/.exec(await response.text())?.[1];
const german = { 'accept-language': 'de-AT, fr;q=0.5' };
const linksOf = (html: string) =>
  [...html.matchAll(/<link rel="alternate" hrefLang="([^"]+)" href="([^"]+)"/gi)].map(
    ([, language, href]) => `${language} ${href?.replace(server.url, '')}`,
  );
const canonicalOf = (html: string) =>
  /<link rel="canonical" href="([^"]+)"/.exec(html)?.[1]?.replace(server.url, '');

describe('the language of a page', () => {
  test('follows its address, then the account, the choice in this browser, the browser’s setting, then English', async () => {
    expect(await languageOf(await open('/pricing'))).toBe('en');
    expect(await languageOf(await open('/pricing', { 'accept-language': 'xx, *' }))).toBe('en');
    expect(await languageOf(await open('/pricing', german))).toBe('de');
    const chosen = { ...german, cookie: 'language=fr' };
    expect(await languageOf(await open('/pricing', chosen))).toBe('fr');
    const person = await createPerson(server);
    await server.database.query(`update users set language = 'es' where id = $1`, [person.id]);
    const signedIn = { ...german, cookie: `language=fr; ${person.cookie}` };
    expect(await languageOf(await open('/pricing', signedIn))).toBe('es');
    expect(await languageOf(await open('/dashboard', signedIn))).toBe('es');
    expect(await languageOf(await open('/ja/pricing', chosen))).toBe('ja');
  });

  test.each([
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['zh-CN', 'zh-Hans'],
    ['zh-SG', 'zh-Hans'],
    ['zh-TW', 'en'],
    ['ar-EG', 'ar'],
    [`${'xx,'.repeat(5_000)}de`, 'en'],
  ])('for a browser that asks for %s is %s', async (accepted, expected) => {
    expect(await languageOf(await open('/about', { 'accept-language': accepted.slice(0, 12_000) }))).toBe(
      expected,
    );
  });

  test.each(locales.filter((language) => language !== baseLanguage))(
    '%s has its own address, text direction and links',
    async (language) => {
      const html = await (await open(`/${language}/pricing`)).text();
      expect(html).toContain(`<html lang="${language}" dir="${textDirection(language)}"`);
      expect(canonicalOf(html)).toBe(`/${language}/pricing`);
      expect(linksOf(html)).toEqual([
        ...locales.map((each) => `${each} ${each === baseLanguage ? '' : `/${each}`}/pricing`),
        'x-default /pricing',
      ]);
      expect(html).toContain(`href="/${language}/about"`);
      expect(html).not.toMatch(/href="\/(about|blog|contact|use-cases)"/);
      // The home page has no slash after its language.
      expect((await open(`/${language}`)).status).toBe(200);
      const slash = await open(`/${language}/`);
      expect([slash.status, slash.headers.get('location')]).toEqual([308, `/${language}`]);
    },
  );

  test('articles and legal texts have only their English address', async () => {
    for (const path of ['/blog/what-is-gpt-5', '/terms']) {
      const html = await (await open(`/de${path}`)).text();
      expect(html).toContain('<html lang="de"');
      expect(canonicalOf(html)).toBe(path);
      expect(linksOf(html)).toEqual([]);
    }
  });

  test('is stated in structured data; articles state their own', async () => {
    const inLanguage = async (path: string) =>
      thingsIn(elementsOf(await (await open(path)).text())).flatMap((thing) => thing.inLanguage ?? []);
    expect(await inLanguage('/')).toEqual(['en']);
    expect(await inLanguage('/pt-BR')).toEqual(['pt-BR']);
    expect(await inLanguage('/zh-Hans')).toEqual(['zh-Hans']);
    expect(await inLanguage('/de/blog/what-is-gpt-5')).toEqual(['en']);
    for (const feed of ['/blog/rss.xml', '/blog/atom.xml']) {
      const [english, localized] = await Promise.all([open(feed), open(feed, german)]);
      expect(await localized.text()).toBe(await english.text());
    }
  });

  test('applies to the operator’s figures and offers in the sandbox samples', async () => {
    const german = visibleText(await (await open('/de/pricing')).text());
    expect(german).toContain('aktive Nutzer');
    expect(german).toContain('Nur für kurze Zeit: 50 % Rabatt');
    expect(visibleText(await (await open('/pricing')).text())).toContain('Limited Time - 50% OFF');
    expect(visibleText(await (await open('/ja/use-cases')).text())).toContain('時間の節約');
  });

  test('an address with an unsupported language answers 404', async () => {
    for (const path of ['/en/pricing', '/xx/pricing', '/DE/pricing', '/zh-TW/pricing'])
      expect((await open(path)).status, path).toBe(404);
  });

  test('a language prefix never redirects to another site', async () => {
    for (const path of [
      '/ar//evil.example',
      '/ar//evil.example/..%2f',
      '/de/\\evil.example',
      '/ar///dashboard',
    ])
      expect((await open(path)).headers.get('location') ?? '/', path).toMatch(/^\/(?!\/)/);
    const redirected = await open('/ar//?ref=x');
    expect([redirected.status, redirected.headers.get('location')]).toEqual([308, '/ar?ref=x']);
  });

  test('separates cached copies of a page', async () => {
    expect((await open('/about')).headers.get('vary')).toContain('accept-language');
    const [first, second] = await Promise.all([open('/about', german), open('/about')]);
    expect([await languageOf(first), await languageOf(second)]).toEqual(['de', 'en']);
  });

  test('the site map lists every language', async () => {
    const xml = await (await open('/sitemap.xml')).text();
    const entry = /<url><loc>[^<]*\/pricing<\/loc>.*?<\/url>/s.exec(xml)?.[0] ?? '';
    expect([...entry.matchAll(/hreflang="([^"]+)"/g)].map(([, language]) => language)).toEqual([
      ...locales,
      'x-default',
    ]);
    expect(/<url><loc>[^<]*\/terms<\/loc>.*?<\/url>/s.exec(xml)?.[0]).not.toContain('hreflang');
  });
});

test.each(['ja', 'zh-Hans'])('sentences in %s have no space between them', async (language) => {
  const person = await createPerson(server);
  await server.database.query('update users set language = $2 where id = $1', [person.id, language]);
  await seedPlan(server, person);
  const document = await seedDocument(server, person);
  const untranslated = /^\/(blog\/|privacy|terms|cookies)/;
  const guests = (await siteMapPaths(server)).filter(
    (path) => !untranslated.test(path) && splitLanguage(path).language === null,
  );
  const members = ['/dashboard', '/settings', '/chat/new', `/tools/pdf/${document}`];
  const pages = [
    ...[...guests, '/sign-in?plan=yearly', '/error?error=access_denied'].map((path) =>
      open(localizedPath(path, language as Locale)),
    ),
    ...members.map((path) => person.get(path, { accept: 'text/html' })),
  ];
  const spaces: string[] = [];
  for (const page of await Promise.all(pages)) {
    const html = (await page.text()).replace(/<(script|style|svg)\b.*?<\/\1>|<!--.*?-->|<[^>]+>/gs, '');
    for (const [space] of html.matchAll(/.{0,12}[。！？][ \n].{0,12}/g)) spaces.push(`${page.url}: ${space}`);
  }
  expect(spaces).toEqual([]);
});

describe('choosing a language', () => {
  const choose = (language: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api/language`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        origin: server.url,
        'content-type': 'application/x-www-form-urlencoded',
        referer: `${server.url}/fr/blog?q=x`,
        ...headers,
      },
      body: new URLSearchParams({ language }),
    });

  test('returns to the page and is remembered in this browser', async () => {
    const answer = await choose('de');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/blog?q=x']);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^language=de; .*HttpOnly.*SameSite=Lax/);
  });

  test('redirects to no other site', async () => {
    for (const referer of ['https://evil.example/pricing', 'x', `${server.url}//evil.example`]) {
      const { headers } = await choose('de', { referer });
      expect(headers.get('location'), referer).not.toContain('evil.example');
    }
  });

  test('is saved to the member’s account for all devices', async () => {
    const person = await createPerson(server);
    await choose('ar', { cookie: person.cookie });
    expect(await languageOf(await person.get('/dashboard', german))).toBe('ar');
  });

  test('refuses an unsupported language', async () => {
    for (const language of ['', 'xx', 'EN', '../de', 'constructor'])
      expect((await choose(language)).status).toBe(400);
    expect((await choose('de', { origin: 'https://evil.example' })).status).toBe(403);
  });
});

test('an API answers in the language of the page that calls it', async () => {
  const errorIn = async (headers: Record<string, string>) => {
    const answer = await client(server).send('POST', '/api/chats', { text: 'x' }, headers);
    return ((await answer.json()) as { error: string }).error;
  };
  const english = await errorIn({});
  expect(english).toBe('Sign in to continue.');
  const spoken = await errorIn({ referer: `${server.url}/de/pricing` });
  expect(spoken).not.toBe(english);
  expect(await errorIn(german)).toBe(spoken);
});

test('a failure is explained in the reader’s current language, not that of the request', async () => {
  const person = await createPerson(server);
  const speak = (language: string) =>
    server.database.query('update users set language = $2 where id = $1', [person.id, language]);
  await speak('de');
  const { id, error } = await drawImages(person, {
    prompt: `${uniqueWord()} [[mode:403]] ${quick}`,
    size: '512x512',
  });
  expect(error?.message).toMatch(/^Der Anbieter des Modells hat diesen Prompt abgelehnt/);
  await speak('ja');
  expect((await getJob(person, id)).error?.message).toMatch(
    /^モデル提供元がこのプロンプトを受け付けませんでした/,
  );
  const { data } = await downloadArchive(person);
  expect(data.generations.find((run) => run.id === id)?.error?.message).toMatch(/^モデル提供元が/);
});

test('mails use the language of the page that requested them, or else that of the account', async () => {
  const email = newAddress();
  const from = network();
  const ask = (headers: Record<string, string>) =>
    fetch(`${server.url}/api/sign-in/email`, {
      method: 'POST',
      headers: {
        origin: server.url,
        'content-type': 'application/json',
        'x-forwarded-for': from,
        ...headers,
      },
      body: JSON.stringify({ email }),
    });
  expect((await ask({})).status).toBe(200);
  const english = await mailTo(server, email);
  expect((await ask({ referer: `${server.url}/de/pricing` })).status).toBe(200);
  const mail = await mailTo(server, email, 2);
  expect(mail.html).toContain('<html lang="de"');
  expect(mail.subject).not.toBe(english.subject);
  expect((await ask({ referer: `${server.url}/ar` })).status).toBe(200);
  expect((await mailTo(server, email, 3)).html).toContain('<html lang="ar" dir="rtl"');
});
