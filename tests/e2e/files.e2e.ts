import type { Page } from '@playwright/test';
import { attachmentTexts } from '#features/chat/attachments/accepted-files.ts';
import { violationsOf } from '../support/axe.ts';
import { bookOf } from '../support/books.ts';
import { docxWith } from '../support/docx.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { unreadable } from '../support/pdf.ts';
import { attach, dragOver, paste, pasteText, pdfFile, pngFile } from '../support/picked-files.ts';
import type { TestServer } from '../support/server.ts';
import { longSheet, workbookOf } from '../support/workbooks.ts';

const remove = (page: Page, name: string) => page.getByRole('button', { name: `Remove ${name}` });
const chip = (page: Page) => page.getByRole('group', { name: 'Attached file' });
const sendButton = (page: Page) => page.getByRole('button', { name: 'Send message' });

/** Waits until the page is hydrated: it then focuses the composer. */
const alive = (page: Page) => expect(composer(page)).toBeFocused();

async function countFiles(server: TestServer, userId: string): Promise<number> {
  const { rows } = await server.database.query(
    'select count(*)::int as n from attachments where user_id = $1',
    [userId],
  );
  return rows[0].n;
}

/** Removes browser errors about an expected response. */
function dropErrors(browserErrors: string[], part: string) {
  const others = browserErrors.filter((text) => !text.includes(part));
  browserErrors.splice(0, browserErrors.length, ...others);
}

test('a picture is picked, shown with its details, and sent without text', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await alive(page);
  await expect(sendButton(page)).toBeDisabled();
  await attach(page, await pngFile('photo.png', { width: 320, height: 200 }));
  await expect(remove(page, 'photo.png')).toBeVisible();
  await expect(chip(page)).toContainText(/\d+ KB · 320 × 200/);
  await expect(composer(page)).toBeFocused();
  const width = await chip(page)
    .locator('img')
    .evaluate((image: HTMLImageElement) => image.naturalWidth);
  expect(width).toBe(320);
  await page.keyboard.press('Enter');
  await expect(page.locator('.bubble').last()).toHaveText('Please analyze this image: photo.png');
  await expect(chip(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();
  await page.reload();
  await alive(page);
  await expect(page.locator('.bubble').last()).toHaveText('Please analyze this image: photo.png');
  await expect(chip(page)).toHaveCount(0);
});

test('a document is dropped anywhere in the pane, which says what it accepts; Backspace removes it @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await page.goto('/chat');
  await alive(page);
  const drop = await dragOver(page, '.chat-head', await pdfFile('report.pdf', ['One.', 'Two.', 'Three.']));
  await expect(
    page.getByText('JPEG, PNG, WebP, HEIC, PDF, Word, Excel, EPUB or text: up to 10 files, 10 MB each'),
  ).toBeVisible();
  await drop();
  await expect(
    page.getByText('JPEG, PNG, WebP, HEIC, PDF, Word, Excel, EPUB or text: up to 10 files, 10 MB each'),
  ).toHaveCount(0);
  await expect(chip(page)).toContainText('3 pages');
  expect(await countFiles(server, person.id)).toBe(1);
  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await composer(page).fill('a');
  await page.keyboard.press('Backspace');
  await expect(chip(page)).toHaveCount(1);
  await page.keyboard.press('Backspace');
  await expect(chip(page)).toHaveCount(0);
  expect((await removed).status()).toBe(204);
  expect(await countFiles(server, person.id)).toBe(0);
  await expect(composer(page)).toBeFocused();
});

test('a file that misses the pane does not replace the page @soak', async ({ page, context, server }) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await alive(page);
  await composer(page).fill('still here');
  await (await dragOver(page, '.chat-side', await pngFile()))();
  await expect(composer(page)).toHaveValue('still here');
  await expect(chip(page)).toHaveCount(0);
});

test('each of several refused files is named, by the page and by the server @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await alive(page);
  const file = (name: string, mimeType: string, content: string) => ({
    name,
    mimeType,
    buffer: Buffer.from(content),
  });
  await attach(
    page,
    file('evil.exe', 'application/x-msdownload', 'MZ'),
    file('empty.txt', 'text/plain', ''),
    file('broken.pdf', 'application/pdf', 'no document'),
    file('kept.csv', 'text/csv', 'a,b'),
  );
  await expect(remove(page, 'kept.csv')).toBeVisible();
  for (const name of ['evil.exe', 'empty.txt', 'broken.pdf'])
    await expect(page.locator('#toasts')).toContainText(name);
  await expect(chip(page)).toHaveCount(1);
  dropErrors(browserErrors, 'Failed to load resource');
});

test('several files are chosen, pasted and dropped, each removed separately, and sent together', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server);
  await page.goto('/chat');
  await alive(page);
  await attach(page, await pngFile('first.png'), await pdfFile('second.pdf'));
  await expect(remove(page, 'first.png')).toBeVisible();
  await expect(remove(page, 'second.pdf')).toBeVisible();
  await composer(page).focus();
  await paste(page, await pngFile('third.png'));
  await expect(remove(page, 'third.png')).toBeVisible();
  await (await dragOver(page, '.chat-head', await pdfFile('fourth.pdf')))();
  await expect(remove(page, 'fourth.pdf')).toBeVisible();
  // A refused file is named and does not affect the others.
  await attach(page, { name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<!doctype html>') });
  await expect(page.getByRole('alert').filter({ hasText: 'page.png: Only images' })).toBeVisible();
  await expect(chip(page)).toHaveCount(4);
  await remove(page, 'second.pdf').click();
  await expect(chip(page)).toHaveCount(3);
  await expect(composer(page)).toBeFocused();
  await expect.poll(() => countFiles(server, person.id)).toBe(3);
  await page.reload();
  await expect(chip(page)).toHaveCount(3);
  await alive(page);
  await composer(page).fill('Compare them [[tps:400]]');
  await page.keyboard.press('Enter');
  await expect(chip(page)).toHaveCount(0);
  const sent = page.locator('.chat-question').last();
  await expect(sent.getByRole('button', { name: 'Open first.png' })).toBeVisible();
  await expect(sent.getByRole('button', { name: 'Open third.png' })).toBeVisible();
  await expect(sent.getByRole('link', { name: /fourth\.pdf/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  // An edit starts with all files; one that is removed stays with the previous version.
  await page.getByRole('button', { name: 'Edit', exact: true }).last().click();
  await expect(chip(page)).toHaveCount(3);
  await remove(page, 'third.png').click();
  await composer(page).fill('Those two [[tps:400]]');
  await composer(page).press('Enter');
  await expect(page.locator('.bubble').last()).toHaveText('Those two [[tps:400]]');
  await expect(sent.getByRole('button', { name: 'Open first.png' })).toBeVisible();
  await expect(sent.getByRole('button', { name: 'Open third.png' })).toHaveCount(0);
  expect(await countFiles(server, person.id)).toBe(3);
  dropErrors(browserErrors, 'Failed to load resource');
});

test('texts, code and Word documents are attached together, shown as files and kept by an edit @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await alive(page);
  const text = (name: string, mimeType: string, words = 'Some words.') => ({
    name,
    mimeType,
    buffer: Buffer.from(words),
  });
  await attach(
    page,
    text('table.csv', 'text/csv'),
    text('code.ts', 'video/mp2t'),
    text('<b>README</b>.md', ''),
    text('list.txt', 'text/plain', 'No text: \0\0'),
    { name: 'report.docx', mimeType: '', buffer: await docxWith(['Some words.']) },
    { name: 'sheet.xlsx', mimeType: '', buffer: await workbookOf([longSheet('Sales', 5_000)]) },
    {
      name: 'novel.epub',
      mimeType: '',
      buffer: await bookOf([{ title: 'One', body: '<p>Some words.</p>' }]),
    },
    text('sheet.ods', ''),
  );
  await expect(page.getByRole('alert').filter({ hasText: 'sheet.ods: Only images' })).toBeVisible();
  await expect(
    page.getByRole('alert').filter({ hasText: 'list.txt: This file isn’t readable text.' }),
  ).toBeVisible();
  await expect(chip(page)).toHaveCount(6);
  // The last upload must be complete before the page is left.
  await expect(chip(page).getByText('Attached.')).toHaveCount(6);
  await expect(page.getByText('Not every row fits. Sent: “Sales” up to row')).toBeVisible();
  await expect(remove(page, 'report.docx')).toBeVisible();
  await expect(remove(page, 'code.ts')).toBeVisible();
  await expect(remove(page, 'b>.md')).toBeVisible();
  await page.reload();
  await expect(chip(page)).toHaveCount(6);
  await alive(page);
  await composer(page).fill('Read them [[tps:400]]');
  await composer(page).press('Enter');
  await expect(chip(page)).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'report.docx' })).toContainText(/Word, \d+ KB/);
  await expect(page.getByRole('link', { name: 'sheet.xlsx' })).toContainText(/Excel, \d+ KB/);
  await expect(page.getByRole('link', { name: 'novel.epub' })).toContainText(/EPUB, \d+ KB/);
  const link = page.locator('.chat-question').last().getByRole('link', { name: 'code.ts' });
  await expect(link).toContainText(/Text, \d+ bytes?/);
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toBe('code.ts');
  dropErrors(browserErrors, 'Failed to load resource');
});

test('a long paste becomes a file, or is put into the message instead @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await page.goto('/chat');
  await alive(page);
  const long = 'A line that was pasted.\n'.repeat(400);
  expect(await pasteText(page, long.slice(0, 7_999))).toBe(true);
  await composer(page).fill('What is this?');
  expect(await pasteText(page, long)).toBe(false);
  await expect(remove(page, 'Pasted text.txt')).toBeVisible();
  await expect(composer(page)).toHaveValue('What is this?');
  await expect(composer(page)).toBeFocused();
  expect(await violationsOf(page)).toEqual([]);
  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page.getByRole('button', { name: 'Put it in the message instead' }).click();
  await expect(composer(page)).toHaveValue(`What is this?\n\n${long}`);
  await expect(chip(page)).toHaveCount(0);
  expect((await removed).status()).toBe(204);
  expect(await countFiles(server, person.id)).toBe(0);
  // When sent as a file, the pasted text is shown next to the message.
  await composer(page).fill('What is this? [[tps:400]]');
  expect(await pasteText(page, long)).toBe(false);
  await composer(page).press('Enter');
  const sent = page.locator('.chat-question').last();
  await expect(sent.getByRole('link', { name: 'Pasted text.txt' })).toContainText('Text, 9 KB');
  await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();
});

test('a long paste that is refused as a file can still be put into the message @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await alive(page);
  const binary = `\u0001${'x'.repeat(8_000)}`;
  expect(await pasteText(page, binary)).toBe(false);
  await expect(chip(page).getByRole('alert')).toContainText('readable text');
  await page.getByRole('button', { name: 'Put it in the message instead' }).click();
  await expect(composer(page)).toHaveValue(binary);
  await expect(chip(page)).toHaveCount(0);
  dropErrors(browserErrors, 'Failed to load resource');
});

test('an eleventh file is left out with a message, and long documents say how much fits together @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await alive(page);
  const long = Array.from({ length: 8 }, () => 'A long line of words for the page. '.repeat(110));
  const images = await Promise.all(
    Array.from({ length: 9 }, (_, index) => pngFile(`${index}.png`, { width: 20, height: 20 })),
  );
  const documents = [await pdfFile('long.pdf', long), await pdfFile('last.pdf')];
  await attach(page, ...images, ...documents);
  await expect(page.getByText('Up to 10 files per message: 1 file was not attached.')).toBeVisible();
  await expect(remove(page, 'long.pdf')).toBeVisible();
  await expect(chip(page)).toHaveCount(10);
  const note = /Only the first \d+% of what was read fits with the other files/;
  await expect(chip(page).filter({ hasText: 'long.pdf' })).toContainText(note);
  const list = page.getByRole('list', { name: 'Attached files' });
  expect(await list.evaluate(({ clientHeight, scrollHeight }) => scrollHeight > clientHeight)).toBe(true);
  expect(await violationsOf(page)).toEqual([]);
  await composer(page).fill('All of them [[tps:400]]');
  await composer(page).press('Enter');
  await expect(chip(page)).toHaveCount(0);
  await expect(page.locator('.chat-question').last()).toContainText(note);
});

test('one of several fails and is retried alone; sending waits for all @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await alive(page);
  await page.route('**/api/files?name=shaky.png', (route) => route.abort());
  let releaseUpload = () => {};
  const released = new Promise<void>((resolve) => {
    releaseUpload = resolve;
  });
  await page.route('**/api/files?name=later.png', async (route) => {
    await released;
    await route.continue();
  });
  await attach(page, await pngFile('shaky.png'), await pngFile('later.png'), await pngFile('last.png'));
  await expect(chip(page).filter({ hasText: 'shaky.png' }).getByRole('alert')).toContainText(/connection/i);
  await expect(chip(page).filter({ hasText: 'last.png' })).toContainText('Waiting for its turn…');
  await page.unroute('**/api/files?name=shaky.png');
  await composer(page).fill('All three [[tps:400]]');
  await composer(page).press('Enter');
  await expect(page.getByRole('button', { name: 'Sends when the files are ready' })).toBeVisible();
  // Canceling a queued upload does not hold up the message.
  await page.getByRole('button', { name: 'Cancel upload of last.png' }).click();
  await expect(page.locator('.bubble')).toHaveCount(0);
  releaseUpload();
  const sent = page.locator('.chat-question').last();
  await expect(sent.getByRole('button', { name: 'Open shaky.png' })).toBeVisible();
  await expect(sent.getByRole('button', { name: 'Open later.png' })).toBeVisible();
  await expect(sent.getByRole('button', { name: 'Open last.png' })).toHaveCount(0);
  dropErrors(browserErrors, 'Failed to load resource');
});

test('a file that cannot be attached is refused with the specification’s text, once and aloud @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await alive(page);
  await composer(page).fill('kept');
  const alert = (text: string) => page.getByRole('alert').filter({ hasText: text });
  await attach(page, { name: 'a.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') });
  await expect(alert(attachmentTexts.wrongType)).toHaveCount(1);
  await attach(page, { name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(10_485_761) });
  await expect(alert(attachmentTexts.tooLarge)).toHaveCount(1);
  // The server checks the bytes.
  await attach(page, { name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<!doctype html>') });
  await expect(alert(attachmentTexts.wrongType)).toHaveCount(1);
  const locked = await unreadable.encrypted();
  await attach(page, { name: 'locked.pdf', mimeType: 'application/pdf', buffer: locked });
  await expect(alert('password')).toHaveCount(1);
  await expect(chip(page)).toHaveCount(0);
  await expect(composer(page)).toHaveValue('kept');
  dropErrors(browserErrors, 'Failed to load resource');
});

test('sending waits for the file, the button says so, and the upload can be cancelled @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await alive(page);
  const devtools = await context.newCDPSession(page);
  const slowNetwork = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 };
  await devtools.send('Network.emulateNetworkConditions', slowNetwork);
  await attach(page, await pngFile('slow.png', { width: 700, height: 500 }));
  const bar = page.getByRole('progressbar', { name: 'Uploading slow.png' });
  await expect.poll(() => bar.evaluate((meter: HTMLProgressElement) => meter.value)).toBeGreaterThan(5);
  await page.getByRole('button', { name: 'Cancel upload of slow.png' }).click();
  await expect(chip(page)).toHaveCount(0);

  await attach(page, await pngFile('slow.png', { width: 700, height: 500 }));
  await composer(page).fill('What is this? [[tps:400]]');
  await composer(page).press('Enter');
  const waitingButton = page.getByRole('button', { name: 'Sends when the files are ready' });
  await expect(waitingButton).toBeVisible();
  await expect(page.locator('.bubble')).toHaveCount(0);
  await devtools.send('Network.emulateNetworkConditions', { ...slowNetwork, uploadThroughput: -1 });
  await expect(page.locator('.bubble').last()).toContainText('What is this?');
  await expect(chip(page)).toHaveCount(0);
  await expect(composer(page)).toHaveValue('');
});

test('a file that an upstream server rejects for its size is reported with the limit @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await alive(page);
  const body = '<html><h1>413 Request Entity Too Large</h1></html>';
  await page.route('**/api/files?*', (route) =>
    route.fulfill({ status: 413, contentType: 'text/html', body }),
  );
  await attach(page, await pngFile('large.png'));
  await expect(
    page.getByText(/This file \([\d.,]+ [KM]B\) was rejected as too large, .* up to 10 MB\./),
  ).toBeVisible();
  dropErrors(browserErrors, 'Failed to load resource');
});

test('a failed upload keeps the text and is retried', async ({ page, context, server, browserErrors }) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await alive(page);
  await composer(page).fill('my words');
  await page.route('**/api/files?*', (route) => route.abort());
  await attach(page, await pngFile('shaky.png'));
  await expect(chip(page).getByRole('alert')).toContainText(/connection/i);
  await expect(composer(page)).toHaveValue('my words');
  await page.unroute('**/api/files?*');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(remove(page, 'shaky.png')).toBeVisible();
  await expect(chip(page)).toContainText('320 × 200');
  dropErrors(browserErrors, 'Failed to load resource');
});

test('a file stays with its draft through another chat and a reload, and is dropped with a message when it is gone @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server);
  await page.goto('/chat');
  await sendMessage(page, 'First chat [[tps:400]]');
  await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();
  await expect(page).toHaveURL(/\/chat\/[0-9a-f-]{36}$/);
  await composer(page).fill('about this');
  await attach(page, await pdfFile('kept.pdf'));
  await expect(remove(page, 'kept.pdf')).toBeVisible();
  await page.getByRole('link', { name: 'New Chat' }).click();
  await expect(composer(page)).toHaveValue('');
  await expect(chip(page)).toHaveCount(0);
  await page.goBack();
  await expect(composer(page)).toHaveValue('about this');
  await expect(chip(page)).toContainText('kept.pdf');
  // The page asks whether the file is still stored; it must get the answer before the file is deleted.
  const checked = page.waitForResponse((answer) => answer.request().method() === 'HEAD');
  await page.reload();
  await expect(chip(page)).toContainText('1 page');
  await expect(composer(page)).toHaveValue('about this');
  await checked;

  await server.database.query('delete from attachments where user_id = $1', [person.id]);
  // The toast hides automatically, so the test looks for it as soon as the page starts to load.
  await page.reload({ waitUntil: 'commit' });
  await expect(page.getByText('kept.pdf is no longer available. Attach it again.')).toBeVisible();
  await expect(chip(page)).toHaveCount(0);
  await expect(composer(page)).toHaveValue('about this');
  await page.reload();
  await alive(page);
  await expect(chip(page)).toHaveCount(0);
  dropErrors(browserErrors, '404');
});

test('an upload continues while another chat is open @soak', async ({ page, context, server }) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await sendMessage(page, 'First chat [[tps:400]]');
  await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();
  await expect(page).toHaveURL(/\/chat\/[0-9a-f-]{36}$/);
  let releaseUpload = () => {};
  const released = new Promise<void>((resolve) => {
    releaseUpload = resolve;
  });
  await page.route('**/api/files?*', async (route) => {
    await released;
    await route.continue();
  });
  await attach(page, await pngFile('later.png'));
  await expect(page.getByRole('button', { name: 'Cancel upload of later.png' })).toBeVisible();
  await page.getByRole('link', { name: 'New Chat' }).click();
  await expect(chip(page)).toHaveCount(0);
  const stored = page.waitForResponse((response) => response.url().includes('/api/files?'));
  releaseUpload();
  expect((await stored).status()).toBe(201);
  await page.goBack();
  await expect(remove(page, 'later.png')).toBeVisible();
  await page.reload();
  await expect(remove(page, 'later.png')).toBeVisible();
});

test('an edited question keeps its file, which can be left out without being lost @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await page.goto('/chat');
  await alive(page);
  await attach(page, await pngFile('kept.png'));
  await expect(remove(page, 'kept.png')).toBeVisible();
  await sendMessage(page, 'What is this? [[tps:400]]');
  const edit = page.getByRole('button', { name: 'Edit', exact: true }).last();
  await edit.click();
  await expect(remove(page, 'kept.png')).toBeVisible();
  await composer(page).fill('And what is that? [[tps:400]]');
  await composer(page).press('Enter');
  await expect(page.locator('.bubble').last()).toHaveText('And what is that? [[tps:400]]');
  await expect(chip(page)).toHaveCount(0);
  const files = async () => {
    const { rows } = await server.database.query(
      `select count(m.attachment_id)::int as n from chat_messages m join chat_sessions s on s.id = m.session_id
        where s.user_id = $1`,
      [person.id],
    );
    return rows[0].n as number;
  };
  await expect.poll(files).toBe(2);
  await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();
  await edit.click();
  await remove(page, 'kept.png').click();
  await composer(page).fill('Without it? [[tps:400]]');
  await composer(page).press('Enter');
  await expect(page.locator('.bubble').last()).toHaveText('Without it? [[tps:400]]');
  await expect.poll(files).toBe(2);
  expect(await countFiles(server, person.id)).toBe(1);
});

test('a refused message restores text and file, and the balance leads to Pro', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server, { credits: 0 });
  await page.goto('/chat');
  await alive(page);
  await attach(page, await pngFile('mine.png'));
  await expect(remove(page, 'mine.png')).toBeVisible();
  await composer(page).fill('And this one?');
  await composer(page).press('Enter');
  await expect(
    page.locator('.chat-notice').getByRole('button', { name: 'Purchase more credits', includeHidden: true }),
  ).toBeVisible();
  await expect(composer(page)).toHaveValue('And this one?');
  await expect(remove(page, 'mine.png')).toBeVisible();
  await page.reload();
  await expect(composer(page)).toHaveValue('And this one?');
  await expect(remove(page, 'mine.png')).toBeVisible();
  dropErrors(browserErrors, '402');
});

test('a guest who attaches a file is asked to sign in @soak', async ({ page }) => {
  await page.goto('/chat');
  await alive(page);
  await page.getByRole('button', { name: 'Attach files' }).click();
  await expect(page.getByRole('dialog')).toContainText('Sign in to attach a file.');
  await page.keyboard.press('Escape');
  await composer(page).focus();
  expect(await pasteText(page, 'A guest pastes. '.repeat(600))).toBe(true);
  await (await dragOver(page, '.chat-main', await pngFile()))();
  await expect(page.getByRole('dialog')).toContainText('Sign in to attach a file.');
});

for (const theme of ['light', 'dark'] as const) {
  test(`attaching works by keyboard alone at a phone’s width, without accessibility violations, ${theme} @soak`, async ({
    page,
    context,
    server,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: theme });
    await signInAs(context, server);
    // Registered early: otherwise the press may come before the file chooser is intercepted.
    const chooser = page.waitForEvent('filechooser');
    await page.goto('/chat');
    await alive(page);
    await expect(composer(page)).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Attach files' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Upload from this device' })).toBeFocused();
    await page.keyboard.press('Enter');
    await (await chooser).setFiles(await pdfFile());
    await expect(remove(page, 'report.pdf')).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
    await expect(composer(page)).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await expect(remove(page, 'report.pdf')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(chip(page)).toHaveCount(0);
    await expect(composer(page)).toBeFocused();
  });
}
