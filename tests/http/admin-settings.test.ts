import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { createOperator, OPERATOR, type Operator, operatorEnv } from '../support/admin.ts';
import { expectConsistent } from '../support/consistency.ts';
import { elementsOf, visibleText } from '../support/html.ts';
import { eventually, startSecondProcess, startTestServer, type TestServer } from '../support/server.ts';
import { settingsCommand } from '../support/settings.ts';

// Each command starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const settingsPath = '/admin/settings';

let server: TestServer;
let other: TestServer;
let operator: Operator;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env: operatorEnv });
  other = await startSecondProcess(server, operatorEnv);
  operator = await createOperator(server);
});
afterAll(async () => {
  await other.stop();
  await expectConsistent(server);
  await server.stop();
});

type Form = Record<string, string>;

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');

/** Returns the fields that a browser would submit for this page, hidden ones included. */
function formOf(html: string): Form {
  const form: Form = {};
  for (const { name, attributes } of elementsOf(html)) {
    const key = attributes.get('name') ?? '';
    if (name === 'input' && /^(set\.|was\.|seen$)/.test(key)) form[key] = attributes.get('value') ?? '';
  }
  for (const [, key = '', text = ''] of html.matchAll(
    /<textarea [^>]*name="(set\.[^"]+)"[^>]*>\n?([\s\S]*?)<\/textarea>/g,
  ))
    form[key] = unescaped(text);
  for (const [, key = '', chosen = ''] of html.matchAll(
    /<select [^>]*name="(set\.[^"]+)"[^>]*>(?:(?!<\/select>)[\s\S])*?value="(\w+)" selected/g,
  ))
    form[key] = chosen;
  return form;
}

const shownForm = async () => formOf(await operator.page(settingsPath));

/** Submits the current form (or `form`) with some fields changed. */
const save = async (changes: Form, form?: Form) =>
  operator.submit(settingsPath, { ...(form ?? (await shownForm())), ...changes });

async function saveAndShow(changes: Form, form?: Form): Promise<string> {
  const answer = await save(changes, form);
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(`^${settingsPath}`),
  ]);
  return operator.page(answer.headers.get('location') ?? '');
}

/** Expects a refusal; returns the words and the HTML of its page. */
async function refusalOf(answer: Response, status = 400) {
  const html = await answer.text();
  expect(answer.status).toBe(status);
  return { words: visibleText(html), html };
}

const fieldOf = (html: string, name: string): string | undefined => formOf(html)[`set.${name}`];

const changeCount = async () => {
  const { rows } = await server.database.query<{ count: number }>(
    'select count(distinct change)::int as count from setting_changes',
  );
  return rows[0]?.count ?? 0;
};

const lastAction = async () => {
  const { rows } = await server.database.query<{ action: string; operator: string; details: object }>(
    'select action, operator, details from operator_actions order by id desc limit 1',
  );
  return rows[0];
};

test('every setting of the command is on the page, and submitting the unchanged form changes nothing', async () => {
  const { output } = await settingsCommand(server, ['list']);
  const names = [...output.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(40);
  const html = await operator.page(settingsPath);
  const form = formOf(html);
  // Only texts that are long or have several lines get a textarea.
  expect(html.match(/<textarea [^>]*name="set\.[^"]+"/g)).toHaveLength(7);
  expect(
    Object.keys(form)
      .filter((name) => name.startsWith('set.'))
      .sort(),
  ).toEqual(
    names
      // The logo has a separate page.
      .filter((name) => name !== 'brand.logo')
      .map((name) => `set.${name}`)
      .sort(),
  );
  expect(html).toContain('/admin/settings/logo');
  const before = await changeCount();
  const { words } = await refusalOf(await save({}), 200);
  expect(words).toContain('No changes to save.');
  expect(await changeCount()).toBe(before);
});

test('a change is visible on every process, in the log, and in the history of the command', async () => {
  const press = randomUUID();
  const html = await saveAndShow({ press, 'set.brand.name': 'Quill & Ink', 'set.credits.welcome': '12' });
  expect(visibleText(html)).toMatch(/Saved as change \d+: Name; Welcome credits\./);
  expect(fieldOf(html, 'brand.name')).toBe('Quill & Ink');
  for (const instance of [server, other])
    await eventually(async () =>
      visibleText(await (await fetch(`${instance.url}/pricing`)).text()).includes('Quill & Ink'),
    );
  expect(await lastAction()).toMatchObject({
    action: 'settings',
    operator: OPERATOR,
    details: { names: ['brand.name', 'credits.welcome'] },
  });
  expect(await operator.page('/admin/log')).toContain('Welcome credits');
  const { output } = await settingsCommand(server, ['history', 'credits.welcome']);
  expect(output).toContain(OPERATOR);
  expect(output).toContain('credits.welcome: (default) -> 12');
  // The same idempotency key with another value changes nothing.
  const count = await changeCount();
  expect((await save({ press, 'set.brand.name': 'Twice' })).status).toBe(303);
  expect(await changeCount()).toBe(count);
});

test('invalid values are refused next to their fields, and everything typed remains', async () => {
  const before = await changeCount();
  const { html, words } = await refusalOf(
    await save({
      'set.brand.name': '<b>"x\'',
      'set.brand.primary': 'red;}body{display:none',
      'set.limits.running': 'many',
      'set.contact.address': 'New Ltd\r\n</textarea><script>alert(1)</script>',
      'set.contact.email': 'fine@quill.example',
      'set.tool.writer.on': 'false',
    }),
  );
  expect(words).toContain('Nothing was saved.');
  for (const message of [
    'Name must not contain < or >.',
    'Buttons must be a color such as #1a7f37, or empty.',
    'Replies at once must be a number.',
    'Postal address must not contain < or >.',
  ])
    expect(words).toContain(message);
  expect(fieldOf(html, 'brand.name')).toBe('<b>"x\'');
  expect(fieldOf(html, 'limits.running')).toBe('many');
  expect(fieldOf(html, 'contact.email')).toBe('fine@quill.example');
  expect(fieldOf(html, 'contact.address')).toBe('New Ltd\n</textarea><script>alert(1)</script>');
  expect(fieldOf(html, 'tool.writer.on')).toBe('false');
  expect(html).not.toMatch(/<script>alert|<b>"/);
  const invalid = elementsOf(html).filter(({ attributes }) => attributes.get('aria-invalid') === 'true');
  expect(invalid.map(({ attributes }) => attributes.get('name')).sort()).toEqual([
    'set.brand.name',
    'set.brand.primary',
    'set.contact.address',
    'set.limits.running',
  ]);
  expect(await changeCount()).toBe(before);
  // After the four are corrected, the other fields are saved as they were typed.
  const page = await saveAndShow({
    ...formOf(html),
    'set.brand.name': 'Right',
    'set.brand.primary': '',
    'set.limits.running': '3',
    'set.contact.address': 'New Ltd',
  });
  for (const [name, value] of [
    ['brand.name', 'Right'],
    ['contact.email', 'fine@quill.example'],
    ['tool.writer.on', 'false'],
  ] as const)
    expect(fieldOf(page, name)).toBe(value);
});

test.each([
  ['brand.name', '', 'Name must not be empty'],
  ['brand.name', 'x'.repeat(100_000), 'Name must be 40 characters or less'],
  ['credits.welcome', '1e3', 'Welcome credits must be a number'],
  ['credits.welcome', '', 'Welcome credits must be a number'],
  ['credits.welcome', '100001', 'Welcome credits must be 100000 or less'],
  ['limits.running', '2.5', 'Replies at once must be a whole number'],
  ['consent.functional', 'perhaps', 'Functional cookies start on must be true or false'],
  ['brand.accent', '#a0a0a0', 'Accent has a contrast of'],
  ['contact.email', 'a@b.example\r\nBcc: c@d.example', 'Support address must be an address'],
])('%s cannot be set to %j', async (name, value, message) => {
  const before = await changeCount();
  const { words } = await refusalOf(await save({ [`set.${name}`]: value }));
  expect(words).toContain(message);
  expect(await changeCount()).toBe(before);
});

test('two plans cannot share a product, and one of them shows the error', async () => {
  const { html } = await refusalOf(
    await save({ 'set.payments.monthly': 'prod_1', 'set.payments.yearly': 'prod_1' }),
  );
  expect(visibleText(html)).toContain('Product, yearly must be a different product from payments.monthly.');
  expect(fieldOf(html, 'payments.monthly')).toBe('prod_1');
});

test('an outdated form does not undo another change, and asks before it replaces the same field', async () => {
  const form = await shownForm();
  await saveAndShow({ 'set.plan.free.chatsPerDay': '7', 'set.brand.name': 'Theirs' });
  // A different field: the other operator's change stays.
  const page = await saveAndShow({ 'set.credits.welcome': '21' }, form);
  expect([fieldOf(page, 'plan.free.chatsPerDay'), fieldOf(page, 'credits.welcome')]).toEqual(['7', '21']);
  // The same field.
  const { html, words } = await refusalOf(await save({ 'set.brand.name': 'Ours' }, form));
  expect(words).toContain(`Name was changed by ${OPERATOR} in the meantime.`);
  expect(fieldOf(html, 'brand.name')).toBe('Ours');
  expect(formOf(html)['was.brand.name']).toBe('Theirs');
  const again = await saveAndShow({ ...formOf(html), 'set.brand.name': 'Ours' });
  expect(fieldOf(again, 'brand.name')).toBe('Ours');
});

test('a refusal and a new sign-in restore no older value, and overwrite nothing unseen', async () => {
  const form = await shownForm();
  await saveAndShow({ 'set.plan.free.chatsPerDay': '9', 'set.contact.email': 'theirs@quill.example' });
  const typed = { 'set.credits.welcome': 'many', 'set.contact.email': 'ours@quill.example' };
  const refusedForm = formOf((await refusalOf(await save(typed, form))).html);
  await operator.ageSession(16);
  const signInForm = formOf((await refusalOf(await save(typed, form), 403)).html);
  await operator.ageSession(0);
  for (const shown of [refusedForm, signInForm]) {
    // Fields that this operator did not touch have the other operator's values.
    expect(shown).toMatchObject({ ...typed, 'set.plan.free.chatsPerDay': '9' });
    const { html, words } = await refusalOf(await save({ 'set.credits.welcome': '22' }, shown));
    expect(words).toContain(`Support address was changed by ${OPERATOR} in the meantime.`);
    expect(fieldOf(html, 'credits.welcome')).toBe('22');
  }
  const page = await operator.page(settingsPath);
  expect(fieldOf(page, 'contact.email')).toBe('theirs@quill.example');
  expect(fieldOf(page, 'plan.free.chatsPerDay')).toBe('9');
});

test('a value can be reset to its default, but not together with a new value', async () => {
  await saveAndShow({ 'set.brand.name': 'Stored' });
  const conflict = await refusalOf(await save({ 'set.brand.name': 'New', 'default.brand.name': 'on' }));
  expect(conflict.words).toContain('Name cannot be changed and reset to its default at once.');
  const page = await saveAndShow({ 'default.brand.name': 'on' });
  expect(fieldOf(page, 'brand.name')).toBe('GPT5AI');
});

test('the history shows who changed what and when, and one press restores a value', async () => {
  await saveAndShow({ 'set.contact.email': 'first@quill.example' });
  await saveAndShow({ 'set.contact.email': 'second@quill.example', 'set.limits.signInMails': '77' });
  const history = await operator.page(`${settingsPath}/history?setting=contact.email`);
  expect(visibleText(history)).toMatch(/first@quill\.example → second@quill\.example/);
  const [, path = ''] = /action="(\/admin\/settings\/history\/\d+\/undo)"/.exec(history) ?? [];
  const press = randomUUID();
  const done = await operator.submit(path, { press });
  expect(done.status).toBe(303);
  expect((await operator.submit(path, { press })).status).toBe(303);
  const after = await operator.page(done.headers.get('location') ?? '');
  expect(visibleText(after)).toMatch(/Undid change \d+: Support address; Sign-in mails\./);
  const form = await shownForm();
  expect(form['set.contact.email']).toBe('first@quill.example');
  expect(await lastAction()).toMatchObject({ action: 'settings undone', operator: OPERATOR });
  // The change was already undone, so its value is no longer current.
  const { words } = await refusalOf(await operator.submit(path));
  expect(words).toContain('has changed again since then');
  expect((await operator.submit(`${settingsPath}/history/99999/undo`)).status).toBe(400);
  expect((await operator.submit(`${settingsPath}/history/x/undo`)).status).toBe(404);
  const csv = await operator.submit(`${settingsPath}/history.csv?setting=contact.email`);
  expect(await csv.text()).toContain('contact.email: first@quill.example → second@quill.example');
});

test('an old session changes nothing, and loses nothing that was typed', async () => {
  const form = await shownForm();
  const before = await changeCount();
  await operator.ageSession(16);
  const { html, words } = await refusalOf(await save({ 'set.brand.name': 'Stolen "cookie"' }, form), 403);
  expect(words).toContain('Sign in again');
  expect(fieldOf(html, 'brand.name')).toBe('Stolen "cookie"');
  await operator.ageSession(61);
  const late = await refusalOf(await save({ 'set.brand.name': 'Stolen' }, form), 403);
  // The refusal page does not show the form's values.
  expect(fieldOf(late.html, 'brand.name')).toBeUndefined();
  await operator.ageSession(0);
  expect(await changeCount()).toBe(before);
  expect(fieldOf(await saveAndShow({ ...formOf(html), 'set.brand.name': 'Signed in' }), 'brand.name')).toBe(
    'Signed in',
  );
});

test('a form from another site changes nothing', async () => {
  const before = await changeCount();
  const form = { ...(await shownForm()), 'set.brand.name': 'Forged' };
  for (const origin of ['https://evil.test', 'null'])
    expect((await operator.submit(settingsPath, form, { origin })).status).toBe(403);
  expect(await changeCount()).toBe(before);
});

test('the page says that people who still see an old price are not charged', async () => {
  const page = await saveAndShow({ 'set.tool.writer.price': '3' });
  expect(visibleText(page)).toContain('nothing starts and nothing is charged');
});
