import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { pdfWith } from './pdf.ts';

/** A file in the form that Playwright's file chooser accepts. */
export interface PickedFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Returns a PNG of noise, which compresses badly: about three bytes per pixel. */
export async function pngFile(name = 'photo.png', { width = 320, height = 200 } = {}): Promise<PickedFile> {
  const create = {
    width,
    height,
    channels: 3 as const,
    background: '#d7dd4b',
    noise: { type: 'gaussian' as const, mean: 128, sigma: 60 },
  };
  return { name, mimeType: 'image/png', buffer: await sharp({ create }).png().toBuffer() };
}

/** Returns a PDF with a line of text on each page. */
export async function pdfFile(name = 'report.pdf', pages = ['The first page tells of lighthouses.']) {
  return { name, mimeType: 'application/pdf', buffer: await pdfWith(pages) };
}

/** Picks files with the composer's button, as a person does. */
export async function attach(page: Page, ...files: PickedFile[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await page.getByRole('menuitem', { name: 'Upload from this device' }).click();
  await (await chooser).setFiles(files);
}

/** Creates, in the page, the DataTransfer of a drag or paste that contains a file. */
const transferOf = (page: Page, { name, mimeType, buffer }: PickedFile) =>
  page.evaluateHandle(
    ([fileName = '', type = '', base64 = '']) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], fileName, { type }));
      return data;
    },
    [name, mimeType, buffer.toString('base64')],
  );

/** Drags a file over an element; the returned function drops it there. */
export async function dragOver(page: Page, selector: string, file: PickedFile): Promise<() => Promise<void>> {
  const dataTransfer = await transferOf(page, file);
  await page.dispatchEvent(selector, 'dragover', { dataTransfer });
  return () => page.dispatchEvent(selector, 'drop', { dataTransfer });
}

/** Pastes a file into the focused element. */
export async function paste(page: Page, file: PickedFile): Promise<void> {
  const data = await transferOf(page, file);
  await page.evaluate((clipboardData) => {
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    (document.activeElement ?? document.body).dispatchEvent(event);
  }, data);
}

/** Pastes text into the focused element; returns false when the page prevents the default. */
export const pasteText = (page: Page, text: string): Promise<boolean> =>
  page.evaluate((content) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', content);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    return (document.activeElement ?? document.body).dispatchEvent(event);
  }, text);
