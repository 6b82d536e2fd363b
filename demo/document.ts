import PDFDocument from 'pdfkit';

/** Returns an A5 PDF of titled clauses, with the document's title on the first page. */
export async function clausesPdf(title: string, pages: string[][][]): Promise<Buffer> {
  const document = new PDFDocument({ autoFirstPage: false, size: 'A5', margin: 52 });
  const parts: Buffer[] = [];
  document.on('data', (part: Buffer) => parts.push(part));
  const made = new Promise<Buffer>((done) => document.on('end', () => done(Buffer.concat(parts))));
  for (const [index, clauses] of pages.entries()) {
    document.addPage();
    if (index === 0) document.font('Times-Bold').fontSize(16).text(title).moveDown();
    for (const [heading = '', words = ''] of clauses) {
      document.font('Times-Bold').fontSize(11.5).text(heading).moveDown(0.3);
      document.font('Times-Roman').fontSize(11.5).text(words, { lineGap: 2.5 }).moveDown();
    }
  }
  document.end();
  return made;
}
