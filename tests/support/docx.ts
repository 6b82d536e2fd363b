import { buffer } from 'node:stream/consumers';
import {
  Document,
  FootnoteReferenceRun,
  HeadingLevel,
  ImageRun,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
} from 'docx';
import { ZipFile } from 'yazl';

const cell = (text: string) => new TableCell({ children: [new Paragraph(text)] });

/** Returns a Word document with a heading, paragraphs, a table, a footnote and, if given, an image. */
export async function docxWith(texts: string[], image?: Buffer): Promise<Buffer> {
  const picture = (data: Buffer) =>
    new Paragraph({
      children: [new ImageRun({ type: 'png', data, transformation: { width: 20, height: 20 } })],
    });
  const document = new Document({
    footnotes: { 1: { children: [new Paragraph('What the note says.')] } },
    sections: [
      {
        children: [
          new Paragraph({ text: 'The heading', heading: HeadingLevel.HEADING_1 }),
          ...texts.map((text) => new Paragraph(text)),
          new Table({
            rows: [
              new TableRow({ children: [cell('Year'), cell('Sum')] }),
              new TableRow({ children: [cell('2024'), cell('17')] }),
            ],
          }),
          new Paragraph({ children: [new FootnoteReferenceRun(1)] }),
          ...(image ? [picture(image)] : []),
        ],
      },
    ],
  });
  return Packer.toBuffer(document);
}

/** Returns a zip archive with these entries. */
export async function zipped(entries: Record<string, Buffer | string>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

const relations = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;
const types = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`;

const word = (body: string) =>
  `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;

const documentOf = (xml: string) =>
  zipped({ '[Content_Types].xml': types, '_rels/.rels': relations, 'word/document.xml': xml });

/** Archives that claim to be documents. */
export const hostileDocx = {
  'an archive of something else': () => zipped({ 'notes.txt': 'No document.' }),
  'cut off': async () => (await docxWith(['Some words.'])).subarray(0, 2_000),
  'no XML': () => documentOf('PK no XML'),
  'without text': () => documentOf(word('<w:p/>')),
  'a bomb': () => documentOf(word(' '.repeat(100_000_000))),
  'a bomb beside a document': async () =>
    zipped({
      '[Content_Types].xml': types,
      '_rels/.rels': relations,
      'word/document.xml': word('<w:p/>'),
      'word/media/a.png': Buffer.alloc(90_000_000),
    }),
  'elements without end': () => documentOf(word('<w:p><w:r/></w:p>'.repeat(3_000_000))),
  'entities within entities': () =>
    documentOf(
      `<!DOCTYPE w [<!ENTITY a "${'ha'.repeat(1_000)}">${[...'bcdefgh'].map((name, index) => `<!ENTITY ${name} "${`&${'abcdefg'[index]};`.repeat(10)}">`).join('')}]>${word('<w:p><w:r><w:t>&h;</w:t></w:r></w:p>')}`,
    ),
};
