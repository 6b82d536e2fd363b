import { zipped } from './docx.ts';

interface Chapter {
  title: string;
  /** Content of `body`. */
  body: string;
}

const container =
  '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>';

const xhtml = (body: string) =>
  `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>no</title><style>no</style></head><body>${body}</body></html>`;

/** Returns the files of a book, listed in a different order than its chapters. */
export function bookParts(chapters: Chapter[], { ncx = false } = {}): Record<string, string> {
  const names = chapters.map((_, index) => `text/c${chapters.length - index}.xhtml`);
  const items = names.map(
    (name, index) => `<item id="c${index}" href="${name}" media-type="application/xhtml+xml"/>`,
  );
  const contents = ncx
    ? `<item id="toc" href="toc.ncx" media-type="application/x-dtbncx+xml"/>`
    : `<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>`;
  const opf = `<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Long Way</dc:title><dc:creator>Ada Writer</dc:creator></metadata><manifest>${[...items].reverse().join('')}${contents}<item id="cover" href="cover.jpg" media-type="image/jpeg"/></manifest><spine toc="toc">${items.map((_, index) => `<itemref idref="c${index}"/>`).join('')}</spine></package>`;
  const nav = xhtml(
    `<nav><ol>${chapters.map(({ title }, index) => `<li><a href="${names[index]}#start">${title}</a></li>`).join('')}</ol></nav>`,
  );
  const points = chapters.map(
    ({ title }, index) =>
      `<navPoint><navLabel><text>${title}</text></navLabel><content src="${names[index]}"/></navPoint>`,
  );
  return {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': container,
    'OEBPS/book.opf': opf,
    ...(ncx
      ? { 'OEBPS/toc.ncx': `<ncx><navMap>${points.join('')}</navMap></ncx>` }
      : { 'OEBPS/nav.xhtml': nav }),
    ...Object.fromEntries(chapters.map(({ body }, index) => [`OEBPS/${names[index]}`, xhtml(body)])),
  };
}

export const bookOf = (chapters: Chapter[], options?: { ncx?: boolean }): Promise<Buffer> =>
  zipped(bookParts(chapters, options));

const encryption = (algorithm: string) =>
  `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><enc:EncryptedData xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptionMethod Algorithm="${algorithm}"/></enc:EncryptedData></encryption>`;

const chapter = { title: 'One', body: '<p>kept</p>' };

/** An encrypted book without a readable chapter; the next one only has obfuscated fonts. */
export const protectedBook = () =>
  zipped({
    ...bookParts([chapter]),
    'META-INF/encryption.xml': encryption('http://www.w3.org/2001/04/xmlenc#aes128-cbc'),
  });
export const mangledFonts = () =>
  zipped({
    ...bookParts([chapter]),
    'META-INF/encryption.xml': encryption('http://www.idpf.org/2008/embedding'),
  });

/** Archives that claim to be books and must be refused. */
export const hostileBooks = {
  'an archive of something else': () => zipped({ 'notes.txt': 'No book.' }),
  'cut off': async () => (await bookOf([chapter])).subarray(0, 300),
  'without text': () => bookOf([{ title: 'One', body: '<img src="cover.jpg" alt=""/>' }]),
  'a bomb': () => bookOf([{ title: 'One', body: ' '.repeat(100_000_000) }]),
  'elements within elements': () => bookOf([{ title: 'One', body: '<i>'.repeat(1_000_000) }]),
  'chapters that lie outside': () =>
    zipped({
      'META-INF/container.xml': container,
      'OEBPS/book.opf':
        '<package><manifest><item id="a" href="http://127.0.0.1:9/a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="../../../etc/passwd" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
    }),
};
