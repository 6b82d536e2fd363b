import { deflateSync } from 'node:zlib';
import { drawPdf } from './documents.ts';

interface PdfStream {
  dictionary: string;
  bytes: Buffer;
}

/**
 * Returns a PDF with these objects, numbered from 1, and a correct cross-reference table; the first is the catalogue.
 */
export function pdfOf(objects: Array<string | PdfStream>, trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  const add = (part: string | Buffer) => parts.push(Buffer.from(part as string));
  const size = () => parts.reduce((sum, part) => sum + part.length, 0);
  for (const [index, object] of objects.entries()) {
    offsets.push(size());
    add(`${index + 1} 0 obj\n`);
    if (typeof object === 'string') add(object);
    else {
      add(`<<${object.dictionary}/Length ${object.bytes.length}>>\nstream\n`);
      add(object.bytes);
      add('\nendstream');
    }
    add('\nendobj\n');
  }
  const start = size();
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  add(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`);
  add(`trailer\n<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF`);
  return Buffer.concat(parts);
}

const CATALOGUE = '<</Type/Catalog/Pages 2 0 R>>';
const ONE_PAGE = '<</Type/Pages/Kids[3 0 R]/Count 1>>';
const FONT = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';
const page = (resources = '/Font<</F1 5 0 R>>') =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<<${resources}>>>>`;
const flate = (bytes: Buffer): PdfStream => ({
  dictionary: '/Filter/FlateDecode',
  bytes: deflateSync(bytes, { level: 9 }),
});
/** A PDF with one page that has this content stream. */
const onePage = (content: PdfStream, ...more: Array<string | PdfStream>) =>
  pdfOf([CATALOGUE, ONE_PAGE, page(), content, FONT, ...more]);
const plain = (text: string): PdfStream => ({ dictionary: '', bytes: Buffer.from(text) });

/** Returns an ordinary document with one text per page. */
export function pdfWith(pages: string[], options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  return drawPdf((document) => {
    for (const text of pages) {
      document.addPage();
      if (text !== '') document.text(text);
    }
  }, options);
}

/** Documents that cannot be read, by the reason. */
export const unreadable = {
  encrypted: () => pdfWith(['Secret.'], { userPassword: 'secret' }),
  'without pages': () => pdfOf([CATALOGUE, '<</Type/Pages/Kids[]/Count 0>>']),
  'pages that hold themselves': () => pdfOf([CATALOGUE, '<</Type/Pages/Kids[2 0 R]/Count 5>>']),
  'a table of places that leads to itself': () =>
    pdfOf([CATALOGUE, ONE_PAGE, page(), plain('BT (x) Tj ET'), FONT], '/Prev 9'),
  'cut off': async () => (await pdfWith(['Some text that is long enough.'])).subarray(0, 300),
  'a mark and 9 MB of A': () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(9_000_000, 'A')]),
  'two billion pages': () => pdfOf([CATALOGUE, '<</Type/Pages/Kids[]/Count 2147483647>>']),
} satisfies Record<string, () => Buffer | Promise<Buffer>>;

/** Returns a document whose page is an image, as a scanner produces it. */
export function scannedPdf(): Buffer {
  const picture = {
    dictionary:
      '/Type/XObject/Subtype/Image/Width 1240/Height 1754/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode',
    bytes: deflateSync(Buffer.alloc(1240 * 1754, 200)),
  };
  const objects = [CATALOGUE, ONE_PAGE, page('/XObject<</Im 5 0 R>>'), plain('612 0 0 792 0 0 cm /Im Do')];
  return pdfOf([...objects, picture]);
}

const LAUGHS = 11;
/** Form XObjects that each draw the next one ten times, eleven levels deep. */
function laughs(): Buffer {
  const forms = Array.from({ length: LAUGHS }, (_, level): PdfStream => {
    const next = `/XObject<</X ${level + 7} 0 R>>`;
    const dictionary = `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F1 5 0 R>>${level < LAUGHS - 1 ? next : ''}>>`;
    return { ...plain(level < LAUGHS - 1 ? '/X Do '.repeat(10) : 'BT /F1 9 Tf (ha) Tj ET'), dictionary };
  });
  const start = page('/Font<</F1 5 0 R>>/XObject<</X 6 0 R>>');
  return pdfOf([CATALOGUE, ONE_PAGE, start, plain('/X Do'), FONT, ...forms]);
}

/** Encodes a stream so that the size check before parsing cannot see its Flate layer: only the reader inflates it. */
function hidden({ bytes }: PdfStream): PdfStream {
  return {
    dictionary: '/Filter[/ASCIIHexDecode/FlateDecode]',
    bytes: Buffer.from(`${bytes.toString('hex')}>`),
  };
}

/** Compressed spaces. */
const blanks = (mebibytes: number): PdfStream => flate(Buffer.alloc(mebibytes * 1024 * 1024, 32));

/** Documents made to break any program that opens them. */
export const bombs = {
  'blanks packed twice': () =>
    onePage({ ...flate(blanks(512).bytes), dictionary: '/Filter[/FlateDecode/FlateDecode]' }),
  'half a gigabyte of blanks': () => onePage(blanks(512)),
  'a gigabyte of blanks, packed in an unusual way': () => onePage(hidden(blanks(1024))),
  'forms of forms of forms': laughs,
  'a page of thirty million signs': () =>
    onePage(
      flate(Buffer.from(`BT /F1 9 Tf ${`1 0 0 1 72 700 Tm (${'x'.repeat(60)}) Tj `.repeat(500_000)} ET`)),
    ),
} satisfies Record<string, () => Buffer>;
