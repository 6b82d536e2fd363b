import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { createOperator, OPERATOR, type Operator, operatorEnv } from '../support/admin.ts';
import { elementsOf, wordsOf } from '../support/html.ts';
import { eventually, startBeside, startTestServer, type TestServer } from '../support/server.ts';
import { settingsCommand } from '../support/settings.ts';
import { expectSound } from '../support/soundness.ts';

// Each command starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const here = '/admin/settings';

let server: TestServer;
let other: TestServer;
let operator: Operator;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env: operatorEnv });
  other = await startBeside(server, operatorEnv);
  operator = await createOperator(server);
});
afterAll(async () => {
  await other.stop();
  await expectSound(server);
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

const shownForm = async () => formOf(await operator.page(here));

/** Submits the current form (or `form`) with some fields changed. */
const save = async (typed: Form, form?: Form) =>
  operator.act(here, { ...(form ?? (await shownForm())), ...typed });

async function saved(typed: Form, form?: Form): Promise<string> {
  const answer = await save(typed, form);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringMatching(`^${here}`)]);
  return operator.page(answer.headers.get('location') ?? '');
}

/** Expects a refusal; returns the words and the HTML of its page. */
async function refused(answer: Response, status = 400) {
  const html = await answer.text();
  expect(answer.status).toBe(status);
  return { words: wordsOf(html), html };
}

const fieldOf = (html: string, name: string): string | undefined => formOf(html)[`set.${name}`];

const changeCount = async () => {
  const { rows } = await server.database.query<{ count: number }>(
    'select count(distinct change)::int as count from setting_changes',
  );
  return rows[0]?.count ?? 0;
};

const lastAct = async () => {
  const { rows } = await server.database.query<{ action: string; operator: string; details: object }>(
    'select action, operator, details from operator_actions order by id desc limit 1',
  );
  return rows[0];
};

test('every setting of the command is on the page, and a form that is sent as it is changes nothing', async () => {
  const { output } = await settingsCommand(server, ['list']);
  const names = [...output.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(40);
  const html = await operator.page(here);
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
  const { words } = await refused(await save({}), 200);
  expect(words).toContain('No changes to save.');
  expect(await changeCount()).toBe(before);
});

test('a change is told, on every process, in the log, and in the history of the command', async () => {
  const press = randomUUID();
  const html = await saved({ press, 'set.brand.name': 'Quill & Ink', 'set.credits.welcome': '12' });
  expect(wordsOf(html)).toMatch(/Saved as change \d+: Name; Welcome credits\./);
  expect(fieldOf(html, 'brand.name')).toBe('Quill & Ink');
  for (const at of [server, other])
    await eventually(async () =>
      wordsOf(await (await fetch(`${at.url}/pricing`)).text()).includes('Quill & Ink'),
    );
  expect(await lastAct()).toMatchObject({
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

test('what does not fit is refused beside its field, and everything that was typed stays', async () => {
  const before = await changeCount();
  const { html, words } = await refused(
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
  for (const says of [
    'Name must not contain < or >.',
    'Buttons must be a color such as #1a7f37, or empty.',
    'Replies at once must be a number.',
    'Postal address must not contain < or >.',
  ])
    expect(words).toContain(says);
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
  const page = await saved({
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
])('%s is not set to %j', async (name, value, says) => {
  const before = await changeCount();
  const { words } = await refused(await save({ [`set.${name}`]: value }));
  expect(words).toContain(says);
  expect(await changeCount()).toBe(before);
});

test('two plans do not share a product, which is told at one of them', async () => {
  const { html } = await refused(
    await save({ 'set.payments.monthly': 'prod_1', 'set.payments.yearly': 'prod_1' }),
  );
  expect(wordsOf(html)).toContain('Product, yearly must be a different product from payments.monthly.');
  expect(fieldOf(html, 'payments.monthly')).toBe('prod_1');
});

test('a form that was shown before another change undoes none of it, and asks before it replaces it', async () => {
  const form = await shownForm();
  await saved({ 'set.plan.free.chatsPerDay': '7', 'set.brand.name': 'Theirs' });
  // A different field: the other operator's change stays.
  const page = await saved({ 'set.credits.welcome': '21' }, form);
  expect([fieldOf(page, 'plan.free.chatsPerDay'), fieldOf(page, 'credits.welcome')]).toEqual(['7', '21']);
  // The same field.
  const { html, words } = await refused(await save({ 'set.brand.name': 'Ours' }, form));
  expect(words).toContain(`Name was changed by ${OPERATOR} in the meantime.`);
  expect(fieldOf(html, 'brand.name')).toBe('Ours');
  expect(formOf(html)['was.brand.name']).toBe('Theirs');
  const again = await saved({ ...formOf(html), 'set.brand.name': 'Ours' });
  expect(fieldOf(again, 'brand.name')).toBe('Ours');
});

test('a refusal and a new sign-in bring no older value back, and take over nothing unseen', async () => {
  const form = await shownForm();
  await saved({ 'set.plan.free.chatsPerDay': '9', 'set.contact.email': 'theirs@quill.example' });
  const typed = { 'set.credits.welcome': 'many', 'set.contact.email': 'ours@quill.example' };
  const refusedForm = formOf((await refused(await save(typed, form))).html);
  await operator.age(16);
  const keptForm = formOf((await refused(await save(typed, form), 403)).html);
  await operator.age(0);
  for (const shown of [refusedForm, keptForm]) {
    // Fields that this operator did not touch have the other operator's values.
    expect(shown).toMatchObject({ ...typed, 'set.plan.free.chatsPerDay': '9' });
    const { html, words } = await refused(await save({ 'set.credits.welcome': '22' }, shown));
    expect(words).toContain(`Support address was changed by ${OPERATOR} in the meantime.`);
    expect(fieldOf(html, 'credits.welcome')).toBe('22');
  }
  const page = await operator.page(here);
  expect(fieldOf(page, 'contact.email')).toBe('theirs@quill.example');
  expect(fieldOf(page, 'plan.free.chatsPerDay')).toBe('9');
});

test('a value goes back to its default, and not together with a new one', async () => {
  await saved({ 'set.brand.name': 'Stored' });
  const both = await refused(await save({ 'set.brand.name': 'New', 'default.brand.name': 'on' }));
  expect(both.words).toContain('Name cannot be changed and reset to its default at once.');
  const page = await saved({ 'default.brand.name': 'on' });
  expect(fieldOf(page, 'brand.name')).toBe('GPT5AI');
});

test('the history tells who, when, from what to what, and one press brings a value back', async () => {
  await saved({ 'set.contact.email': 'first@quill.example' });
  await saved({ 'set.contact.email': 'second@quill.example', 'set.limits.signInMails': '77' });
  const history = await operator.page(`${here}/history?setting=contact.email`);
  expect(wordsOf(history)).toMatch(/first@quill\.example → second@quill\.example/);
  const [, path = ''] = /action="(\/admin\/settings\/history\/\d+\/undo)"/.exec(history) ?? [];
  const press = randomUUID();
  const done = await operator.act(path, { press });
  expect(done.status).toBe(303);
  expect((await operator.act(path, { press })).status).toBe(303);
  const after = await operator.page(done.headers.get('location') ?? '');
  expect(wordsOf(after)).toMatch(/Undid change \d+: Support address; Sign-in mails\./);
  const form = await shownForm();
  expect(form['set.contact.email']).toBe('first@quill.example');
  expect(await lastAct()).toMatchObject({ action: 'settings undone', operator: OPERATOR });
  // The change was already undone, so its value is no longer current.
  const { words } = await refused(await operator.act(path));
  expect(words).toContain('has changed again since then');
  expect((await operator.act(`${here}/history/99999/undo`)).status).toBe(400);
  expect((await operator.act(`${here}/history/x/undo`)).status).toBe(404);
  const csv = await operator.act(`${here}/history.csv?setting=contact.email`);
  expect(await csv.text()).toContain('contact.email: first@quill.example → second@quill.example');
});

test('a session that is too old to act changes nothing, and loses nothing that was typed', async () => {
  const form = await shownForm();
  const before = await changeCount();
  await operator.age(16);
  const { html, words } = await refused(await save({ 'set.brand.name': 'Stolen "cookie"' }, form), 403);
  expect(words).toContain('Sign in again');
  expect(fieldOf(html, 'brand.name')).toBe('Stolen "cookie"');
  await operator.age(61);
  const late = await refused(await save({ 'set.brand.name': 'Stolen' }, form), 403);
  // The refusal page does not show the form's values.
  expect(fieldOf(late.html, 'brand.name')).toBeUndefined();
  await operator.age(0);
  expect(await changeCount()).toBe(before);
  expect(fieldOf(await saved({ ...formOf(html), 'set.brand.name': 'Signed in' }), 'brand.name')).toBe(
    'Signed in',
  );
});

test('a form of another site changes nothing', async () => {
  const before = await changeCount();
  const form = { ...(await shownForm()), 'set.brand.name': 'Forged' };
  for (const origin of ['https://evil.test', 'null'])
    expect((await operator.act(here, form, { origin })).status).toBe(403);
  expect(await changeCount()).toBe(before);
});

test('who looks at an old price is told so, and not charged', async () => {
  const page = await saved({ 'set.tool.writer.price': '3' });
  expect(wordsOf(page)).toContain('nothing starts and nothing is charged');
});
