import { describe, expect, it } from 'vitest';
import { createDownload, downloadName } from './download.server.ts';

describe('the name of a download', () => {
  it.each([
    ['Über/Honig "now"', 'Über-Honig -now-.md'],
    ['How bees find …', 'How bees find.md'],
    ['v1.2 notes', 'v1.2 notes.md'],
    ['C:\\temp\\..', 'C-temp-.md'],
    ['…', 'file.md'],
    ['', 'file.md'],
  ])('of %j is %j', (title, name) => expect(downloadName(title, 'md')).toBe(name));
});

it.each(['exe', '__proto__', 'MD', ''])('a download as %j is refused before it is made', async (format) => {
  const made = createDownload({
    userId: 'somebody',
    title: 'A text',
    format,
    formats: ['md', 'docx', 'pdf'],
    make: () => expect.unreachable(),
  });
  await expect(made).rejects.toMatchObject({
    code: 'bad_request',
    message: 'The format must be md, docx, or pdf.',
  });
});
