import { describe, expect, it } from 'vitest';
import { createDownload, downloadName } from './download.server.ts';

describe('downloadName', () => {
  it.each([
    ['Über/Honig "now"', 'Über-Honig -now-.md'],
    ['How bees find …', 'How bees find.md'],
    ['v1.2 notes', 'v1.2 notes.md'],
    ['C:\\temp\\..', 'C-temp-.md'],
    ['…', 'file.md'],
    ['', 'file.md'],
  ])('turns %j into %j', (title, name) => expect(downloadName(title, 'md')).toBe(name));
});

it.each(['exe', '__proto__', 'MD', ''])('rejects the format %j without creating a file', async (format) => {
  const download = createDownload({
    userId: 'somebody',
    title: 'A text',
    format,
    formats: ['md', 'docx', 'pdf'],
    make: () => expect.unreachable(),
  });
  await expect(download).rejects.toMatchObject({
    code: 'bad_request',
    message: 'The format must be md, docx, or pdf.',
  });
});
