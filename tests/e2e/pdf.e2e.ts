import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { drawPdf, samples, sentence } from '../support/documents.ts';
import { control } from '../support/gateway.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { pdfWith, scannedPdf } from '../support/pdf.ts';
import { seedDocument } from '../support/seed-document.ts';

const pick = (page: Page, name: string, buffer: Buffer, mimeType = 'application/pdf') =>
  page.getByLabel('PDF file').setInputFiles({ name, mimeType, buffer });

const analyze = (page: Page) => page.getByRole('button', { name: 'Analyze', exact: true });

/** Returns the text of the text layer that is under the marks, or beside them by at most `slack` letter widths. */
async function markedText(page: Page, slack = 0): Promise<string> {
  await expect(page.locator('.pdf-mark').first()).toBeVisible();
  return page.evaluate((slack) => {
    const marks = [...document.querySelectorAll('.pdf-mark')].map((mark) => mark.getBoundingClientRect());
    const walker = document.createTreeWalker(
      document.querySelector('.pdf-text-layer')!,
      NodeFilter.SHOW_TEXT,
    );
    let text = '';
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (let at = 0; at < (node as Text).length; at++) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { x, y, width, height } = range.getBoundingClientRect();
        const [cx, cy] = [x + width / 2, y + height / 2];
        const tolerance = width * slack;
        if (
          marks.some(
            (m) => cx >= m.left - tolerance && cx <= m.right + tolerance && cy >= m.top && cy <= m.bottom,
          )
        )
          text += (node as Text).data[at];
      }
    }
    return text.replace(/\s+/g, ' ');
  }, slack);
}

test.beforeEach(({ server }) => control(server, { tokensPerSecond: 0, firstTokenMs: 0 }));

test('a document is read, analysed and asked; a page number opens the page with the passage highlighted', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server, { plan: 'pro' });
  await page.goto('/tools/pdf');
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Analyze' }).click();
  await expect(page.getByText('No file selected')).toBeVisible();
  const sample = (await samples()).find(({ name }) => name === 'two columns')!;
  await pick(page, 'Two columns.pdf', sample.bytes);
  await expect(page).toHaveURL(/\/tools\/pdf\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Two columns.pdf');
  await analyze(page).click();
  const chip = page.locator('.pdf-chip').nth(3);
  await expect(chip).toBeVisible();
  await expect(page.getByRole('button', { name: 'Analyze again' })).toBeVisible();
  const statements = page.getByRole('tabpanel', { name: 'Summary' }).locator('li > p, li:has(> q)');
  for (const statement of await statements.all()) await expect(statement).toHaveAttribute('dir', 'auto');
  const quote = (await page.locator('q').nth(3).textContent()) ?? '';
  const before = await page.evaluate(() => scrollY);
  await chip.click();
  const marked = await markedText(page);
  await expect(chip).toHaveAttribute('aria-current', 'true');
  await expect(page.locator('.pdf-chip[aria-current]:visible')).toHaveCount(1);
  expect(await page.evaluate(() => scrollY)).toBe(before);
  const normalized = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');
  expect(normalized(marked)).toBe(normalized(quote));

  await page.getByRole('tab', { name: 'Keywords' }).click();
  const keyword = page.locator('.pdf-keyword').first();
  const word = (await keyword.textContent())?.split(' ')[0] ?? '';
  await keyword.click();
  // A single word: the machine's font may place its last letter slightly off the document's.
  await expect.poll(async () => (await markedText(page, 1)).toLowerCase()).toContain(word.toLowerCase());
  await keyword.click();
  await expect(keyword).toContainText('2/');

  await page.getByRole('tab', { name: 'Ask' }).click();
  const field = page.getByLabel('Ask this document');
  await field.fill('What did the harbour office announce in quarter 2?');
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Ask' })).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveTitle(/^Two columns\.pdf/);
  await expect(field).toHaveValue(/harbour/);
  await field.press('Enter');
  await expect(page.getByRole('tabpanel', { name: 'Ask' }).locator('q').first()).toBeVisible();
  await field.fill('Which zeppelin xylophone?');
  await field.press('Enter');
  await expect(page.getByText('This document does not answer that.')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('button', { name: 'Edit in AI Writer' }).click();
  await expect(page).toHaveURL(/\/tools\/writer\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Two columns.pdf');
  await expect(page.getByRole('region', { name: 'Draft', exact: true })).toContainText('harbour');

  // A single finding, with its quotes and their pages.
  await page.goBack();
  await waitForHydration(page);
  await page.getByRole('tab', { name: 'Summary' }).click();
  const findings = page.getByRole('tabpanel', { name: 'Summary' }).locator('ol > li');
  const finding = findings.first();
  const findingText = (await finding.locator('p').first().textContent()) ?? '';
  const other = (await findings.nth(1).locator('p').first().textContent()) ?? '';
  await finding.getByRole('button', { name: /^Use in…/ }).press('Enter');
  await expect(finding.getByRole('button', { name: 'Edit in AI Writer' })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await layoutFaults(page)).toEqual([]);
  await finding.getByRole('button', { name: 'Edit in AI Writer' }).click();
  await expect(page).toHaveURL(/\/tools\/writer\/[0-9a-f-]{36}$/);
  const draft = page.getByRole('region', { name: 'Draft', exact: true });
  await expect(draft).toContainText(findingText);
  await expect(draft.locator('blockquote').first()).toContainText(/\(p\. \d+\)/);
  await expect(draft).not.toContainText(other);
});

test('a protected PDF asks for its password, and again when its pages are shown @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server, { plan: 'pro' });
  await page.goto('/tools/pdf');
  await waitForHydration(page);
  const text = [1, 2, 3, 4].map(sentence).join(' ');
  const buffer = await pdfWith([text], { userPassword: 'lighthouse' });
  await page
    .getByLabel('PDF file')
    .setInputFiles({ name: 'locked.pdf', mimeType: 'application/pdf', buffer });
  const field = page.getByLabel('Password for this PDF');
  await expect(page.getByText('This PDF is password-protected.')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await field.fill('lamp');
  await field.press('Enter');
  await expect(page.getByText('That password didn’t work. Try again.')).toBeVisible();
  await expect(field).toHaveValue('');
  await field.fill('lighthouse');
  await field.press('Enter');
  await page.waitForURL(/\/tools\/pdf\/[\w-]+$/);
  await expect(page.locator('.pdf-sheet')).toContainText(sentence(1).split(' ')[2] ?? '');
  await page.reload();
  await expect(field).toBeVisible();
  await field.fill('lighthouse');
  await field.press('Enter');
  await expect(page.locator('.pdf-sheet')).toContainText(sentence(1).split(' ')[2] ?? '');
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
    'lighthouse',
  );
  browserErrors.splice(0);
});

test('an analysis continues through a reload and fills part by part @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server, { plan: 'pro' });
  await page.goto('/tools/pdf');
  await waitForHydration(page);
  const word = `held${Date.now()}`;
  const pages = Array.from({ length: 70 }, (_, n) =>
    Array.from({ length: 8 }, (__, k) => sentence(n * 8 + k)).join(' '),
  );
  await pick(page, 'long.pdf', await pdfWith([...pages, `[[mode:hold]] ${word} ${sentence(900)}`]));
  await expect(page).toHaveURL(/\/tools\/pdf\/./);
  await analyze(page).click();
  await expect(page.getByText(/Reading page \d+ of 71/).first()).toBeVisible();
  await expect(page.getByRole('tabpanel', { name: 'Summary' }).locator('li > p').first()).toHaveAttribute(
    'dir',
    'auto',
  );
  await page.reload();
  await expect(page.getByText('Reading page 71 of 71').first()).toBeVisible();
  await expect(page.getByRole('tabpanel', { name: 'Summary' }).locator('li').first()).toBeVisible();
  await control(server, { release: word });
  await expect(page.getByRole('button', { name: 'Analyze again' })).toBeVisible();
  await expect(page.getByText('Read 71 of 71 pages.')).toBeVisible();
});

test('a stopped question is restored to its field; a complete analysis survives the next one that is stopped @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server, { plan: 'pro' });
  await page.goto('/tools/pdf');
  await waitForHydration(page);
  const word = `twice${Date.now()}`;
  await pick(page, 'twice.pdf', await pdfWith([`[[mode:hold]] ${word} ${sentence(1)} ${sentence(2)}`]));
  await expect(page).toHaveURL(/\/tools\/pdf\/./);
  await analyze(page).click();
  const heldCall = async () => (await control(server, { release: word })) as unknown;
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  const again = page.getByRole('button', { name: 'Analyze again' });
  await expect(async () => {
    await heldCall();
    await expect(again).toBeVisible({ timeout: 200 });
  }).toPass();
  const statement = page.getByRole('tabpanel', { name: 'Summary' }).locator('li').first();
  await expect(statement).toBeVisible();
  await again.click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('The previous analysis is below.')).toBeVisible();
  await expect(statement).toBeVisible();
  await page.getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'PDF, A4 .pdf' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('twice - analysis.pdf');

  // Left while the analysis runs: the list shows that, and a notice its end.
  await again.click();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await expect(page.getByText(/Reading page 1 of 1/).first()).toBeVisible();
  await page.getByRole('link', { name: 'New file' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('PDF Analyzer');
  const row = page.getByRole('link', { name: /twice\.pdf/ });
  await expect(row).toContainText('Analyzing…');
  const toast = page.getByText('The analysis of “twice.pdf” is complete.');
  await expect(async () => {
    await heldCall();
    await expect(toast).toBeVisible({ timeout: 200 });
  }).toPass();
  await expect(row).toContainText('Analyzed');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('twice.pdf');

  await page.getByRole('tab', { name: 'Ask' }).click();
  const field = page.getByLabel('Ask this document');
  const question = 'Which turbine is it [[mode:hold]]?';
  await field.fill(question);
  await field.press('Enter');
  await expect(field).toHaveValue('');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(field).toHaveValue(question);
  await expect(page.getByText('You stopped this question.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Ask again' })).toHaveCount(0);
  await field.fill('');
  await expect(page.getByRole('button', { name: 'Ask again' })).toBeVisible();

  await page
    .getByRole('region', { name: 'Analysis' })
    .getByRole('button', { name: 'Delete twice.pdf' })
    .click();
  await expect(page.getByRole('heading', { name: 'Your files' })).toBeFocused();
});

test('an unreadable file is reported, and files are deleted with Undo @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  await seedDocument(server, person);
  await page.goto('/tools/pdf');
  await waitForHydration(page);
  await pick(page, 'x.txt', Buffer.from('text'), 'text/plain');
  await expect(
    page.getByRole('alert').filter({ hasText: 'Please select a PDF file.' }).first(),
  ).toBeVisible();
  await pick(page, 'big.pdf', Buffer.alloc(10_485_761));
  await expect(
    page.getByRole('alert').filter({ hasText: 'Please select a smaller file than 10MB' }).first(),
  ).toBeVisible();
  await pick(page, 'scan.pdf', scannedPdf());
  await expect(
    page.getByRole('alert').filter({ hasText: 'only contains images of its pages' }).first(),
  ).toBeVisible();
  // The error is shown once, in the box.
  await expect(page.getByText('only contains images of its pages')).toHaveCount(1);
  await page.getByRole('button', { name: 'Delete seed.pdf' }).click();
  await expect(page.getByRole('link', { name: /seed\.pdf/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('link', { name: /seed\.pdf/ })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await pick(page, 'sound.pdf', await pdfWith([sentence(1)]));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('sound.pdf');
  await expect(page.getByText('only contains images of its pages')).toHaveCount(0);
  await page.goto('/tools/pdf');
  await waitForHydration(page);
  await pick(page, 'gap.pdf', await pdfWith([sentence(1), '', sentence(2)]));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('gap.pdf');
  await expect(page.locator('.notice-warning')).toHaveText('No text: page 2.');
});

test('the viewer works by keyboard alone: tabs, pages, zoom, search @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server, { plan: 'pro' });
  await page.setViewportSize({ width: 1280, height: 900 });
  const bytes = await pdfWith(
    Array.from(
      { length: 9 },
      (_, n) => `${sentence(n)} Page ${n + 1} names a lighthouse${n === 6 ? ' keeper' : ''}.`,
    ),
  );
  await page.goto('/tools/pdf');
  await waitForHydration(page);
  await pick(page, 'nine.pdf', bytes);
  const sheet = page.locator('.pdf-page-view');
  await expect(sheet).toHaveAttribute('data-page', '1');
  await page.getByRole('tab', { name: 'Summary' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Q&A' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('tab', { name: 'Ask' })).toHaveAttribute('aria-selected', 'true');
  await page.locator('.pdf-sheet').focus();
  await page.keyboard.press('PageDown');
  await expect(sheet).toHaveAttribute('data-page', '2');
  await page.keyboard.press('End');
  await expect(sheet).toHaveAttribute('data-page', '9');
  const width = (await sheet.boundingBox())?.width ?? 0;
  await page.keyboard.press('+');
  await expect.poll(async () => (await sheet.boundingBox())?.width ?? 0).toBeGreaterThan(width);
  await page.keyboard.press('0');
  await expect.poll(async () => (await sheet.boundingBox())?.width ?? 0).toBe(width);
  const box = page.getByLabel('Page number, out of 9');
  await box.fill('4');
  await box.press('Enter');
  await expect(sheet).toHaveAttribute('data-page', '4');
  const search = page.getByLabel('Search the document');
  await search.fill('Lighthouse  KEEPER');
  await search.press('Enter');
  await expect(sheet).toHaveAttribute('data-page', '7');
  await expect(page.locator('.pdf-hit').first()).toBeVisible();
});

test('on a phone the pages are a tab, and nothing scrolls sideways @soak', async ({
  page,
  context,
  server,
}) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await signInAs(context, server, { plan: 'pro' });
  await page.goto('/tools/pdf');
  await waitForHydration(page);
  const horizontalOverflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await horizontalOverflow()).toBe(0);
  await pick(
    page,
    `${'a-very-long-name-'.repeat(8)}.pdf`,
    await drawPdf((d) => d.addPage().text(`${sentence(1)} ${sentence(2)} ${sentence(3)}`)),
  );
  await expect(page).toHaveURL(/\/tools\/pdf\/./);
  await analyze(page).click();
  await expect(page.getByRole('button', { name: 'Analyze again' })).toBeVisible();
  const chip = page.getByRole('tabpanel', { name: 'Summary' }).locator('.pdf-chip').last();
  await chip.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => scrollY);
  expect(place).toBeGreaterThan(0);
  await chip.click();
  await expect(page.getByRole('tab', { name: 'Pages' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('.pdf-sheet')).toBeFocused();
  await expect(page.locator('.pdf-mark').first()).toBeInViewport();
  expect(await horizontalOverflow()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  await page.goBack();
  await expect(page.getByRole('tab', { name: 'Summary' })).toHaveAttribute('aria-selected', 'true');
  await expect(chip).toBeFocused();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
  await chip.click();
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(page.getByRole('tab', { name: 'Summary' })).toHaveAttribute('aria-selected', 'true');
  await expect(chip).toBeVisible();
});

test('guests and free people see what the tool does: a sample, and what Pro includes @soak', async ({
  page,
  context,
  server,
}) => {
  await page.goto('/tools/pdf');
  await waitForHydration(page);
  await expect(page.getByRole('heading', { name: 'Sample' })).toBeVisible();
  await expect(page.locator('.mark', { hasText: 'The rent stays the same' })).toBeVisible();
  await pick(page, 'mine.pdf', await pdfWith([sentence(1)]));
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  const box = page.getByRole('region', { name: 'Upload' });
  await expect(box.getByText('Ready. Sign in to analyze it.')).toBeVisible();
  await expect(box.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByText('This tool is included in Pro.')).toBeVisible();
  await expect(page.getByText('You start with')).toHaveCount(0);
  expect(await violationsOf(page)).toEqual([]);
  await signInAs(context, server, { credits: 10 });
  await page.goto('/tools/pdf');
  await waitForHydration(page);
  const locked = page.getByRole('region', { name: 'Included in Pro' });
  await expect(locked.getByRole('heading')).toHaveText('PDF Analyzer is included in Pro');
  await expect(locked).toBeInViewport({ ratio: 1 });
  expect(await violationsOf(page)).toEqual([]);
  await locked.getByRole('button', { name: 'Go Pro' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await analyze(page).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  let windows = 0;
  page.on('filechooser', () => windows++);
  await box.getByRole('button', { name: 'Choose a PDF' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(windows).toBe(0);
  await page.keyboard.press('Escape');
  await pick(page, 'mine.pdf', await pdfWith([sentence(1)]));
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(box.getByText('Ready. Analyze it with Pro.')).toBeVisible();
  await expect(box.getByRole('button', { name: 'Go Pro' })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
});
