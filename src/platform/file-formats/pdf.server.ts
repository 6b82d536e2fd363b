import { m } from '#messages';
import { type Paper, paperSizes } from '#shared/paper.ts';
import type { RichBlock, RichRun, RichText } from '#shared/rich-text.ts';
import { FontSet, UnprintableText } from './font-set.server.ts';
import { MARGIN, PdfPages } from './pdf-pages.server.ts';

function wordsOf(text: RichText): { all: string; bold: string } {
  let [all, bold] = ['', ''];
  const add = (runs: RichRun[], isBold = false) => {
    for (const run of runs) {
      all += run.text;
      if (isBold || run.bold) bold += run.text;
    }
  };
  const walk = (blocks: RichBlock[]): void => {
    for (const block of blocks) {
      if (block.kind === 'heading') add(block.runs, true);
      else if (block.kind === 'paragraph') add(block.runs);
      else if (block.kind === 'list') walk(block.items.flat());
      else if (block.kind === 'quote') walk(block.blocks);
      else if (block.kind === 'code') all += block.text;
      else if (block.kind === 'table')
        for (const [at, row] of block.rows.entries()) for (const runs of row) add(runs, at === 0);
    }
  };
  walk(text);
  return { all, bold };
}

function languageOf(text: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const isMostly = (pattern: RegExp) => (text.match(pattern)?.length ?? 0) * 2 > letters;
  if (isMostly(/[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/gu))
    return /\p{sc=Hiragana}/u.test(text) ? 'ja' : 'zh';
  if (isMostly(/\p{sc=Arabic}/gu)) return 'ar';
  if (isMostly(/\p{sc=Hebrew}/gu)) return 'he';
  return isMostly(/\p{sc=Devanagari}/gu) ? 'hi' : 'und';
}

/** Letters of the note's plural forms: fonts are chosen before the number of omitted emoji is known. */
const lettersOfNote = (text: string): string =>
  /\p{Extended_Pictographic}/u.test(text)
    ? `0123456789${[0, 1, 2, 3, 11, 100].map((count) => m.export_emoji_left_out({ count })).join('')}`
    : '';

/** Keeps the CPU busy for seconds. @throws UnprintableText for letters that no font has. */
export async function renderPdf(
  text: RichText,
  { title, paper }: { title: string; paper: Paper },
): Promise<Buffer<ArrayBuffer>> {
  const { default: Document } = await import('pdfkit');
  const { all, bold } = wordsOf(text);
  const doc = new Document({
    size: paperSizes[paper],
    margin: MARGIN,
    info: { Title: title || 'Text' },
    font: '',
    pdfVersion: '1.7',
    // The types know only the subsets of PDF/A.
    subset: 'PDF/UA' as PDFKit.PDFDocumentOptions['subset'],
    tagged: true,
    displayTitle: true,
    lang: languageOf(all),
  });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', resolve);
    doc.on('error', reject);
  });
  const fonts = await FontSet.create(doc, all + lettersOfNote(all), bold);
  const pages = new PdfPages(doc, fonts);
  const root = doc.struct('Document');
  doc.addStructure(root);
  pages.blocks(root, text);
  if (fonts.unknown.size > 0) throw new UnprintableText([...fonts.unknown]);
  const omitted = fonts.picturesLeftOut;
  if (omitted > 0) pages.note(root, m.export_emoji_left_out({ count: omitted }));
  root.end();
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}
