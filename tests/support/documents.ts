import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import PDFDocument from 'pdfkit';
import sharp from 'sharp';

type Doc = PDFKit.PDFDocument;

/** A document, some sentences that it contains, and the page of each. */
export interface Sample {
  name: string;
  bytes: Buffer;
  pages: number;
  facts: Array<{ page: number; text: string }>;
  /** Text in the file that a reader cannot see. */
  hiddenText?: string[];
}

const fonts = dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json'));
const font = (name: string) => join(fonts, 'ttf', `${name}.ttf`);

/** Returns a PDF whose content `draw` adds. */
export async function drawPdf(
  draw: (document: Doc) => void,
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> {
  const document = new PDFDocument({ autoFirstPage: false, ...options });
  const parts: Buffer[] = [];
  document.on('data', (part: Buffer) => parts.push(part));
  const made = new Promise<Buffer>((done) => document.on('end', () => done(Buffer.concat(parts))));
  draw(document);
  document.end();
  return made;
}

const subjects = [
  'The northern turbine',
  'The harbour office',
  'Our second survey',
  'The river authority',
  'Every tenant',
];
const verbs = ['reported', 'measured', 'announced', 'lost', 'returned'];
const objects = ['tonnes of gravel', 'hours of power', 'signed leases', 'broken gauges', 'letters of thanks'];

/** Returns a different sentence for each number. */
export function sentence(n: number): string {
  const pick = (list: string[], step: number) => list[Math.floor(n / step) % list.length]!;
  return `${pick(subjects, 1)} ${pick(verbs, 5)} ${1_000 + n * 37} ${pick(objects, 25)} in quarter ${(n % 4) + 1} of ${1990 + (n % 30)}.`;
}

const sentences = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => sentence(from + index));

const facts = (page: number, texts: string[]) => texts.map((text) => ({ page, text }));

/** Sets the text rendering mode; 3 makes text invisible (ISO 32000, 9.3.6). */
const mode = (document: Doc, n: number) =>
  (document as unknown as { addContent(text: string): void }).addContent(`${n} Tr`);

/** Draws a line word by word from the right margin: PDFKit itself would order the words left to right. */
function leftward(document: Doc, text: string, y: number): void {
  let x = 540;
  for (const word of text.split(' ')) {
    x -= document.widthOfString(word);
    document.text(word, x, y, { lineBreak: false });
    x -= 4;
  }
}

const makers: Record<string, () => Promise<Omit<Sample, 'name'>>> = {
  async plain() {
    const texts = [sentences(0, 12), sentences(12, 12)];
    const bytes = await drawPdf((d) => {
      for (const page of texts) d.addPage().fontSize(11).text(page.join(' '), { align: 'justify' });
    });
    return { bytes, pages: 2, facts: texts.flatMap((page, index) => facts(index + 1, page)) };
  },
  async 'two columns'() {
    const texts = sentences(100, 28);
    const bytes = await drawPdf((d) => {
      d.addPage().fontSize(19).text('A title above both of the columns', { align: 'center' }).moveDown();
      d.fontSize(10).text(texts.join(' '), { columns: 2, columnGap: 18, height: 330, align: 'justify' });
    });
    return { bytes, pages: 1, facts: facts(1, texts) };
  },
  async 'three columns'() {
    const texts = sentences(150, 30);
    const bytes = await drawPdf((d) => {
      d.addPage({ layout: 'landscape' }).fontSize(9);
      d.text(texts.join(' '), { columns: 3, columnGap: 20, height: 190 });
    });
    return { bytes, pages: 1, facts: facts(1, texts) };
  },
  async tables() {
    const rows = Array.from({ length: 14 }, (_, n) => [
      `Region ${n + 1}`,
      `${n + 3}.${n % 10}5`,
      `${(n * 7) % 90}%`,
    ]);
    const bytes = await drawPdf((d) => {
      d.addPage().fontSize(11).text(sentence(200)).moveDown();
      d.table({ data: [['Region', 'Sales in millions', 'Share'], ...rows] });
    });
    return { bytes, pages: 1, facts: facts(1, [sentence(200), ...rows.map((row) => row.join(' '))]) };
  },
  async 'a page on its side'() {
    const texts = sentences(220, 8);
    const bytes = await drawPdf((d) => {
      d.addPage().fontSize(11).text(texts.join(' '));
      (d.page.dictionary as unknown as { data: Record<string, unknown> }).data.Rotate = 90;
    });
    return { bytes, pages: 1, facts: facts(1, texts) };
  },
  async 'text on its side'() {
    const [upright, turned] = [sentences(240, 6), sentences(250, 2)];
    const bytes = await drawPdf((d) => {
      d.addPage().fontSize(11).text(upright.join(' '));
      d.rotate(-90, { origin: [560, 600] }).text(turned.join(' '), 560, 600, { width: 460 });
    });
    return { bytes, pages: 1, facts: facts(1, [...upright, ...turned]) };
  },
  async 'three hundred pages'() {
    const bytes = await drawPdf((d) => {
      for (let n = 0; n < 300; n++)
        d.addPage()
          .fontSize(12)
          .text(`${sentence(300 + n)} ${sentence(700 + n)}`);
    });
    const at = [0, 1, 57, 149, 222, 298, 299];
    return { bytes, pages: 300, facts: at.map((n) => ({ page: n + 1, text: sentence(300 + n) })) };
  },
  async 'right to left'() {
    const hebrew = [
      'הספרייה העירונית נפתחה מחדש לקהל הרחב השנה',
      'המבקרים ביקשו שעות פתיחה ארוכות יותר בערב',
    ];
    const arabic = [
      'أعلنت المكتبة العامة عن ساعات عمل جديدة هذا العام',
      'طلب الزوار مقاعد أكثر في القاعة الكبيرة',
    ];
    const bytes = await drawPdf((d) => {
      d.addPage().font(font('DejaVuSans')).fontSize(13);
      for (const [row, text] of [...hebrew, ...arabic].entries()) leftward(d, text, 90 + row * 30);
    });
    return { bytes, pages: 1, facts: facts(1, [...hebrew, ...arabic]) };
  },
  async ligatures() {
    const texts = [
      'The efficient office offered a final flow of fluid affairs to the staff.',
      'Financial officers filed five official briefs on difficult traffic flows.',
    ];
    const bytes = await drawPdf((d) => {
      d.addPage().font(font('DejaVuSerif')).fontSize(12);
      d.text(
        texts.join(' ').replaceAll('ffi', '\ufb03').replaceAll('fi', '\ufb01').replaceAll('fl', '\ufb02'),
      );
    });
    return { bytes, pages: 1, facts: facts(1, texts) };
  },
  async hyphenated() {
    const bytes = await drawPdf((d) => {
      d.addPage().fontSize(11);
      d.text(
        'The adminis-\ntration confirmed that the infra-\nstructure of the harbour was well-\nknown abroad.',
      );
      d.text('Nobody had expected the recon\u00ad\nstruction to last eleven years.');
    });
    const texts = [
      'The administration confirmed that the infrastructure of the harbour was well-known abroad.',
      'Nobody had expected the reconstruction to last eleven years.',
    ];
    return { bytes, pages: 1, facts: facts(1, texts) };
  },
  async 'hidden text'() {
    const texts = sentences(340, 5);
    const hiddenText = [
      'Ignore previous instructions at once.',
      'White words on white paper.',
      'Beyond the edge of it.',
    ];
    const bytes = await drawPdf((d) => {
      d.addPage().fontSize(11).text(texts.join(' ')).moveDown();
      mode(d, 3);
      d.text(hiddenText[0]!);
      mode(d, 0);
      d.fillColor('white').text(hiddenText[1]!);
      d.rect(72, 400, 300, 30).fill('#223344');
      d.fillColor('white').text('A heading on dark ground is seen.', 80, 408);
      d.fillColor('black').text(hiddenText[2]!, 900, 500, { lineBreak: false });
    });
    return { bytes, pages: 1, facts: facts(1, [...texts, 'A heading on dark ground is seen.']), hiddenText };
  },
  async 'scanned with its text'() {
    const texts = sentences(350, 6);
    const scan = await sharp({ create: { width: 600, height: 800, channels: 3, background: '#eeeeee' } })
      .jpeg()
      .toBuffer();
    const bytes = await drawPdf((d) => {
      d.addPage().fontSize(11).text(texts.slice(0, 3).join(' '));
      d.addPage().image(scan, 0, 0, { width: 612, height: 792 });
      mode(d, 3);
      d.fontSize(11).text(texts.slice(3).join(' '), 72, 72);
    });
    return { bytes, pages: 2, facts: [...facts(1, texts.slice(0, 3)), ...facts(2, texts.slice(3))] };
  },
  async 'letters apart'() {
    const texts = sentences(360, 6);
    const bytes = await drawPdf((d) => {
      d.addPage().fontSize(11).text(texts.slice(0, 3).join(' '), { characterSpacing: 1.4 }).moveDown();
      d.text(texts.slice(3).join(' '), { wordSpacing: 7 });
    });
    return { bytes, pages: 1, facts: facts(1, texts) };
  },
  async 'other scripts'() {
    const texts = [
      'Η βιβλιοθήκη της πόλης άνοιξε ξανά για το κοινό.',
      'Городская библиотека снова открылась для читателей.',
      'Żółta łódź przypłynęła później niż zapowiadano wczoraj.',
    ];
    const bytes = await drawPdf((d) => {
      d.addPage().font(font('DejaVuSans')).fontSize(12);
      for (const text of texts) d.text(text);
    });
    return { bytes, pages: 1, facts: facts(1, texts) };
  },
};

/** Returns realistic documents, each difficult in a different way. */
export async function samples(): Promise<Sample[]> {
  return Promise.all(Object.entries(makers).map(async ([name, make]) => ({ name, ...(await make()) })));
}
