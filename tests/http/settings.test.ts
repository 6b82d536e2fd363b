import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { settingsElement } from '#shared/settings.ts';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import { elementsOf, visibleText } from '../support/html.ts';
import { mailTo } from '../support/mailbox.ts';
import { createPerson, type Person } from '../support/people.ts';
import {
  eventually,
  runEntry,
  startSecondProcess,
  startTestServer,
  type TestServer,
} from '../support/server.ts';
import { sampleOf, soak } from '../support/soak.ts';

// Each command starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let standIns: RunningStandIns;
let server: TestServer;
let other: TestServer;
let person: Person;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'site-settings-'));
  const postgres = inject('postgres');
  standIns = await spawnStandIns();
  const options = { postgres, standins: standIns.base, smtp: `smtp://127.0.0.1:${standIns.smtpPort}` };
  server = await startTestServer(options);
  const { databaseUrl, dataDir } = server;
  other = await startTestServer({ ...options, databaseUrl, dataDir });
  person = await createPerson(server);
});
afterAll(async () => {
  await other.stop();
  await server.stop();
  await standIns.remove();
  rmSync(folder, { recursive: true });
});

const settings = (...args: string[]) => runEntry('settings', server, args);

async function runSettings(...args: string[]): Promise<string> {
  const { code, output } = await settings(...args);
  expect([code, output]).toEqual([0, expect.any(String)]);
  return output;
}

const pageOf = async (path: string, at = server, headers: Record<string, string> = {}) =>
  (await fetch(at.url + path, { headers })).text();

/** Waits until `check` is true on both processes. */
async function onEachServer(check: (at: TestServer) => Promise<boolean>): Promise<void> {
  for (const at of [server, other]) await eventually(() => check(at));
}

const stored = async () => {
  const { rows } = await server.database.query<{
    change: number;
    name: string;
    before: unknown;
    after: unknown;
  }>('select change, name, before, after from setting_changes order by change, name');
  return rows;
};

test('a page contains no settings that were not changed', async () => {
  const html = await (await person.get('/chat')).text();
  expect(html).not.toContain(`id="${settingsElement}"`);
  expect(html).not.toContain('/brand/');
  expect(await runSettings('history')).toContain('No changes yet.');
});

test('a name is on the cached pages of every process, on those of the app, and in mails', async () => {
  for (const at of [server, other]) expect(await pageOf('/pricing', at)).toContain('GPT5AI');
  const name = `Quill & "Ink" 's`;
  expect(await runSettings('set', 'brand.name', name)).toMatch(/^Saved as change \d+/);
  await onEachServer(async (at) => visibleText(await pageOf('/pricing', at)).includes(name));
  for (const path of ['/pricing', '/', '/de/about', '/site.webmanifest', '/blog/rss.xml', '/privacy'])
    expect(await pageOf(path), path).not.toContain('GPT5AI');
  expect(JSON.parse(await pageOf('/site.webmanifest'))).toMatchObject({ name });

  const html = await (await person.get('/chat')).text();
  const inline = elementsOf(html).find(({ attributes }) => attributes.get('id') === settingsElement);
  expect(JSON.parse(inline?.text ?? '')).toEqual({ 'brand.name': name });
  expect(inline?.attributes.get('type')).toBe('application/json');

  const answer = await fetch(`${other.url}/api/sign-in/email`, {
    method: 'POST',
    headers: { origin: other.url, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'settings@example.com' }),
  });
  expect(answer.status).toBeLessThan(300);
  const { subject } = await mailTo(server, 'settings@example.com');
  expect(subject).toContain(name);
});

test('history shows the actor and both values; undo reverts one change after the other', async () => {
  await runSettings('set', 'contact.email', 'first@quill.example');
  await runSettings('set', 'contact.email', 'second@quill.example');
  const history = await runSettings('history', 'contact.email');
  expect(history).toContain('contact.email: first@quill.example -> second@quill.example');
  expect(history).toContain('contact.email: (default) -> first@quill.example');
  await onEachServer(async (at) => (await pageOf('/contact', at)).includes('second@quill.example'));

  await runSettings('undo');
  await onEachServer(async (at) => (await pageOf('/contact', at)).includes('first@quill.example'));
  await runSettings('undo');
  await onEachServer(async (at) => (await pageOf('/contact', at)).includes('support@example.com'));
  const rows = (await stored()).filter(({ name }) => name === 'contact.email');
  expect(rows.map(({ after }) => after)).toEqual([
    'first@quill.example',
    'second@quill.example',
    'first@quill.example',
    null,
  ]);
  // A change that was already undone is no longer current.
  const [first] = rows;
  const again = await settings('undo', String(first?.change));
  expect([again.code, again.output]).toEqual([1, expect.stringContaining('has changed again since then')]);
  for (const statement of [
    'update setting_changes set actor = $$x$$',
    'delete from setting_changes',
    'truncate setting_changes',
  ])
    await expect(server.database.query(statement)).rejects.toThrow(/append-only/);
});

test('a file contains what is stored, and is imported completely or not at all', async () => {
  const address = ['Quill Ltd', '2 Ink Lane', 'York'];
  await runSettings('set', 'contact.address', ...address);
  const exported = JSON.parse(await runSettings('export'));
  expect(exported).toMatchObject({ 'contact.address': address });
  const file = join(folder, 'settings.json');
  const before = await stored();
  writeFileSync(file, JSON.stringify({ ...exported, 'brand.name': 'Half', 'contact.email': 'nobody' }));
  const { code, output } = await settings('import', file);
  expect([code, output]).toEqual([1, 'contact.email must be an address such as help@example.com.\n']);
  expect(await stored()).toEqual(before);
  writeFileSync(file, JSON.stringify({ ...exported, 'contact.address': null, 'brand.name': 'Whole' }));
  await runSettings('import', file);
  await onEachServer(async (at) => {
    const html = await pageOf('/contact', at);
    return html.includes('Whole') && html.includes('Example Company') && !html.includes('Ink Lane');
  });
  expect(await runSettings('import', file)).toContain('Nothing changed');
});

describe('colors', () => {
  test.runIf(soak)('are in a separate style sheet, which the page links', async () => {
    await runSettings('set', 'brand.primary', '#1A4FD6');
    await runSettings('set', 'brand.accent.dark', '#7fd1ff');
    const sheetOf = async (at: TestServer) =>
      elementsOf(await pageOf('/', at)).find(({ attributes }) =>
        attributes.get('href')?.startsWith('/brand/'),
      );
    await onEachServer(async (at) =>
      (await pageOf((await sheetOf(at))?.attributes.get('href') ?? '/', at)).includes('#7fd1ff'),
    );
    const href = (await sheetOf(server))?.attributes.get('href') ?? '';
    const sheet = await fetch(server.url + href);
    expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(sheet.headers.get('cache-control')).toContain('immutable');
    const css = await sheet.text();
    expect(css).toContain('--primary:#1a4fd6');
    expect(css).toContain('--on-primary:#ffffff');
    const app = await (await person.get('/chat')).text();
    expect(app).toContain(href);
    await runSettings('unset', 'brand.primary', 'brand.accent.dark');
    await onEachServer(async (at) => (await sheetOf(at)) === undefined);
    expect((await fetch(server.url + href)).status).toBe(404);
  });
});

describe('is refused with a sentence, and changes nothing', () => {
  test.each(
    sampleOf([
      [['set', 'brand.name', '<img src=x onerror=alert(1)>'], /^brand.name must not contain < or >/],
      [['set', 'brand.name', ''], /^brand.name must not be empty/],
      [['set', 'brand.name', 'x'.repeat(41)], /^brand.name must be 40 characters or less/],
      [['set', 'brand.name', 'x'.repeat(120_000)], /^brand.name must be 40 characters or less/],
      [['set', 'brand.nmae', 'x'], /^There is no setting brand.nmae; did you mean brand.name\?/],
      [['set', '__proto__', 'x'], /^There is no setting __proto__/],
      [['set', 'brand.primary', 'red;}body{display:none'], /^brand.primary must be a color/],
      [['set', 'brand.primary', '#fff;--x:y'], /^brand.primary must be a color/],
      [['set', 'brand.primary', '#f4f4f4'], /^brand.primary has a contrast of 1\.\d:1 on the light theme/],
      [['set', 'brand.accent', '#a0a0a0'], /^brand.accent has a contrast/],
      [['set', 'consent.functional', 'perhaps'], /^consent.functional must be true or false/],
      [['set', 'contact.address'], /^Add a value/],
      [['set', 'contact.email', 'a@b.example\r\nBcc: c@d.example'], /^contact.email must be an address/],
      [['undo', '99999'], /^There is no change 99999/],
      [['undo', 'x'], /is not a change number/],
      [['import', '/nowhere.json'], /Can't read .* as JSON/],
    ]),
  )('%j', async (args, message) => {
    const before = await stored();
    const { code, output } = await settings(...args);
    expect([code, output]).toEqual([1, expect.stringMatching(message)]);
    expect(await stored()).toEqual(before);
  });

  test('a file of 1 MB, and one with a text of 100 KB', async () => {
    const before = await stored();
    const file = join(folder, 'large.json');
    writeFileSync(file, JSON.stringify({ 'brand.name': 'x'.repeat(1_000_000) }));
    expect(await settings('import', file)).toMatchObject({
      code: 1,
      output: expect.stringContaining('too large'),
    });
    writeFileSync(file, JSON.stringify({ 'brand.name': 'x'.repeat(100_000), 'contact.address': 'no list' }));
    expect(await settings('import', file)).toMatchObject({
      code: 1,
      output: 'brand.name must be 40 characters or less.\ncontact.address must be a list of lines.\n',
    });
    expect(await stored()).toEqual(before);
  });
});

test.runIf(soak)(
  'an invalid stored value, of an earlier build or set by hand, leaves the last valid value in effect',
  async () => {
    await runSettings('set', 'brand.name', 'Valid');
    await server.database.query(
      `insert into setting_changes (change, name, before, after, actor)
     select max(change) + 1, v.name, null, v.value::jsonb, 'hand' from setting_changes,
       (values ('brand.name', '{"broken": 1}'), ('brand.former', '1')) as v (name, value) group by v.name, v.value`,
    );
    await onEachServer(async (at) => at.output().includes('a stored setting is invalid'));
    for (const at of [server, other]) expect(await pageOf('/pricing', at)).toContain('Valid');
    const fresh = await startSecondProcess(server);
    expect(await pageOf('/pricing', fresh)).toContain('Valid');
    await fresh.stop();
    expect(await runSettings('get', 'brand.name')).toContain(
      'the stored value must be text; this value is used instead',
    );
    const { code, output } = await runEntry('doctor', server);
    expect(code).toBe(1);
    expect(output).toMatch(/wrong +Settings +brand\.name must be text/);
    expect(output).toMatch(/wrong +Settings +brand\.former is not a setting of this build/);
    await runSettings('unset', 'brand.name');
    await onEachServer(async (at) => (await pageOf('/pricing', at)).includes('GPT5AI'));
  },
);

test('two simultaneous changes are both in the history, one after the other', async () => {
  await Promise.all([
    runSettings('set', 'brand.name', 'One'),
    runSettings('set', 'brand.name', 'Two'),
    runSettings('set', 'brand.mark', '#ffcc00'),
  ]);
  const rows = (await stored()).slice(-3);
  expect(new Set(rows.map(({ change }) => change)).size).toBe(3);
  const names = rows.filter(({ name }) => name === 'brand.name');
  expect(names[1]?.before).toBe(names[0]?.after);
});
