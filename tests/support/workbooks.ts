import { zipped } from './docx.ts';

const relation = (id: string, type: string, target: string, mode = '') =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"${mode}/>`;
const relations = (inside: string) =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inside}</Relationships>`;

interface SheetXml {
  name: string;
  /** The children of `worksheet`. */
  xml: string;
  state?: 'hidden' | 'veryHidden';
}

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

/** Styles 1 to 6: a date, a percentage, a date and time, an amount, a month, a time. */
const styles = `<styleSheet ${main}><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/><numFmt numFmtId="165" formatCode="#,##0.00\\ &quot;€&quot;"/><numFmt numFmtId="166" formatCode="mmm\\ yy"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${[0, 14, 9, 164, 165, 166, 20].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`;

interface WorkbookParts {
  shared?: string;
  from1904?: boolean;
  more?: Record<string, string | Buffer>;
}

/** Returns the files of a workbook by path. */
export function workbookParts(sheets: SheetXml[], { shared = '', from1904, more = {} }: WorkbookParts = {}) {
  const listed = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" ${state ? `state="${state}" ` : ''}r:id="s${index}"/>`,
  );
  return {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations(relation('r', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook ${main} xmlns:r="r"><workbookPr${from1904 ? ' date1904="1"' : ''}/><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      sheets
        .map((_, index) => relation(`s${index}`, 'worksheet', `worksheets/sheet${index + 1}.xml`))
        .join('') +
        relation('st', 'styles', '/xl/styles.xml') +
        relation('sh', 'sharedStrings', 'sharedStrings.xml') +
        relation('ex', 'externalLink', 'http://127.0.0.1:9/other.xlsx', ' TargetMode="External"'),
    ),
    'xl/styles.xml': styles,
    'xl/sharedStrings.xml': `<sst ${main}>${shared}</sst>`,
    ...Object.fromEntries(
      sheets.map(({ xml }, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet ${main}>${xml}</worksheet>`,
      ]),
    ),
    ...more,
  };
}

export const workbookOf = (sheets: SheetXml[], parts?: WorkbookParts): Promise<Buffer> =>
  zipped(workbookParts(sheets, parts));

export const rowsOf = (xml: string) => `<sheetData>${xml}</sheetData>`;

export const textCell = (reference: string, text: string) =>
  `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`;

/** A sheet with `rows` rows of text. */
export const longSheet = (name: string, rows: number): SheetXml => ({
  name,
  xml: rowsOf(
    Array.from(
      { length: rows },
      (_, index) =>
        `<row r="${index + 1}">${textCell(`A${index + 1}`, `Line ${index + 1} of many`)}<c r="B${index + 1}"><v>${index}</v></c></row>`,
    ).join(''),
  ),
});

const oneCell = { name: 'One', xml: rowsOf(`<row r="1">${textCell('A1', 'kept')}</row>`) };

/** The start of an OLE container, as both an encrypted workbook and an Excel 97 file have it. */
export const oldOfficeFile = () =>
  Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(4_088),
    Buffer.from('EncryptedPackage', 'utf16le'),
  ]);

const lyingSizes = async () => {
  const bytes = await workbookOf([{ name: 'Bomb', xml: ' '.repeat(70_000_000) }]);
  // Sets the uncompressed size of each entry in the central directory to 100 bytes.
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4))
    bytes.writeUInt32LE(100, at + 24);
  return bytes;
};

/** Archives that claim to be workbooks and must be refused. */
export const hostileWorkbooks = {
  'an archive of something else': () => zipped({ 'notes.txt': 'No workbook.' }),
  'cut off': async () => (await workbookOf([oneCell])).subarray(0, 400),
  'paths that lead outside': async () => {
    const bytes = await zipped({ ...workbookParts([oneCell]), 'xx/xx/secret': 'x' });
    return Buffer.from(bytes.toString('latin1').replaceAll('xx/xx/secret', '../../secret'), 'latin1');
  },
  'without cells': () => workbookOf([{ name: 'Empty', xml: rowsOf('') }]),
  'hidden sheets alone': () => workbookOf([{ ...oneCell, state: 'veryHidden' }]),
  'a bomb': () => workbookOf([{ name: 'Bomb', xml: ' '.repeat(100_000_000) }]),
  'a bomb that lies about its size': lyingSizes,
  'a bomb of shared texts': () =>
    workbookOf([{ name: 'One', xml: rowsOf('<row r="1"><c r="A1" t="s"><v>0</v></c></row>') }], {
      shared: ' '.repeat(100_000_000),
    }),
  'elements within elements': () => workbookOf([{ name: 'Deep', xml: '<a>'.repeat(1_000_000) }]),
};

const entities = `<!DOCTYPE w [<!ENTITY a "${'ha'.repeat(1_000)}">${[...'bcdefgh'].map((name, index) => `<!ENTITY ${name} "${`&${'abcdefg'[index]};`.repeat(10)}">`).join('')}<!ENTITY file SYSTEM "file:///etc/passwd">]>`;

/** Workbooks that request a lot of memory but contain little, which must be read. */
export const greedyWorkbooks = {
  'entities within entities': () =>
    zipped({
      ...workbookParts([oneCell]),
      'xl/worksheets/sheet1.xml': `${entities}<worksheet ${main}>${rowsOf(`<row r="1">${textCell('A1', 'kept &h; &file;')}</row>`)}</worksheet>`,
    }),
  'a sheet of all rows and columns, by its own word': () =>
    workbookOf([
      {
        name: 'Wide',
        xml: `<dimension ref="A1:XFD1048576"/>${rowsOf(`<row r="1">${textCell('A1', 'kept')}</row><row r="1048576">${textCell('XFD1048576', 'last')}</row>`)}`,
      },
    ]),
  'a million shared texts': () =>
    workbookOf([{ name: 'One', xml: rowsOf('<row r="1"><c r="A1" t="s"><v>999999</v></c></row>') }], {
      shared: `${'<si><t>x</t></si>'.repeat(999_999)}<si><t>kept</t></si>`,
    }),
};
