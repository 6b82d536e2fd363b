import { describe, expect, test } from 'vitest';
import { longSheet, rowsOf, textCell, workbookOf } from '#tests/support/workbooks.ts';
import { readWorkbook } from './workbook-text.server.ts';

const LIMIT = 40_000;
const nothingLeftOut = { sheets: 0, hiddenSheets: 0, hiddenCells: false, drawings: 0 };

const linesOf = async (xml: string, parts = {}) => {
  const workbook = await readWorkbook(await workbookOf([{ name: 'One', xml }], parts), LIMIT);
  return workbook?.sheets[0]?.lines;
};

describe('readWorkbook', () => {
  test('reads the sheets by name, in order, with every kind of cell as displayed', async () => {
    const cells = [
      '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c>',
      '<c r="A2" s="1"><v>46350</v></c><c r="B2" s="2"><v>0.175</v></c><c r="C2" s="3"><v>46350.75</v></c>',
      '<c r="A3" s="4"><v>-1234.5</v></c><c r="B3" s="5"><v>46350</v></c><c r="C3" s="6"><v>0.5</v></c>',
      '<c r="A4"><f>SUM(1,2)</f><v>3</v></c><c r="B4" t="str"><f>A1</f><v>Year</v></c><c r="C4"><f>NOW()</f></c>',
      '<c r="A5" t="b"><v>1</v></c><c r="B5" t="e"><v>#DIV/0!</v></c><c r="C5"><v>0.30000000000000004</v></c>',
    ];
    const xml = rowsOf(cells.map((row, index) => `<row r="${index + 1}">${row}</row>`).join(''));
    const shared =
      '<si><t>Year</t></si><si><r><t>Net, </t></r><r><t xml:space="preserve">“all” &amp; "more"</t></r><rPh><t>no</t></rPh></si>';
    const bytes = await workbookOf([{ name: 'Sales &amp; costs', xml }, longSheet('Second', 2)], { shared });
    expect(await readWorkbook(bytes, LIMIT)).toEqual({
      sheets: [
        {
          sheet: 'Sales & costs',
          more: false,
          lines: [
            ',A,B,C',
            '1,Year,"Net, “all” & ""more"""',
            '2,2026-11-24,18%,2026-11-24 18:00',
            '3,"-1,234.50 €",Nov 26,12:00',
            '4,3,Year,=NOW()',
            '5,TRUE,#DIV/0!,0.3',
          ],
        },
        { sheet: 'Second', more: false, lines: [',A,B', '1,Line 1 of many,0', '2,Line 2 of many,1'] },
      ],
      leftOut: nothingLeftOut,
    });
  });

  test('counts days from the epoch of the workbook', async () => {
    const xml = rowsOf('<row r="1"><c r="A1" s="1"><v>44888</v></c></row>');
    expect(await linesOf(xml, { from1904: true })).toEqual([',A', '1,2026-11-24']);
  });

  test('leaves out empty columns and rows, and shows a merged cell once, in its corner', async () => {
    const xml = `${rowsOf(`<row r="3">${textCell('B3', 'both')}<c r="C3"/></row><row r="9">${textCell('D9', 'two\nlines')}</row>`)}<mergeCells><mergeCell ref="B3:C4"/></mergeCells>`;
    expect(await linesOf(xml)).toEqual([',B,D', '3,both', '9,,"two\nlines"']);
  });

  test('numbers rows and cells without a reference in sequence, with or without a prefix', async () => {
    const xml =
      '<x:sheetData><x:row><x:c><x:v>1</x:v></x:c><x:c><x:v>2</x:v></x:c></x:row><x:row><x:c><x:v>3</x:v></x:c></x:row></x:sheetData>';
    expect(await linesOf(xml)).toEqual([',A,B', '1,1,2', '2,3']);
  });

  test('leaves out hidden content and says so', async () => {
    const xml = `<cols><col min="2" max="3" hidden="1"/></cols>${rowsOf(`<row r="1">${textCell('A1', 'seen')}${textCell('B1', 'no')}</row><row r="2" hidden="1">${textCell('A2', 'no')}</row>`)}`;
    const bytes = await workbookOf(
      [
        { name: 'One', xml },
        { ...longSheet('Two', 1), state: 'hidden' },
        { ...longSheet('Three', 1), state: 'veryHidden' },
      ],
      { more: { 'xl/media/image1.png': 'x', 'xl/charts/chart1.xml': '<c/>' } },
    );
    expect(await readWorkbook(bytes, LIMIT)).toEqual({
      sheets: [{ sheet: 'One', more: false, lines: [',A', '1,seen'] }],
      leftOut: { sheets: 0, hiddenSheets: 2, hiddenCells: true, drawings: 2 },
    });
  });

  test('stops at the limit in each sheet and says so', async () => {
    const bytes = await workbookOf([longSheet('Long', 50_000), longSheet('Short', 3)]);
    const workbook = await readWorkbook(bytes, 4_000);
    const [long, short] = workbook?.sheets ?? [];
    expect([long?.more, short?.more]).toEqual([true, false]);
    expect(long?.lines.join('\n').length).toBeLessThan(4_200);
    expect(long?.lines.length).toBeGreaterThan(100);
  });

  test('counts a shared text in every cell that contains it', async () => {
    const rows = Array.from({ length: 1_000 }, (_, row) => `<row r="${row + 1}"><c t="s"><v>0</v></c></row>`);
    const workbook = await readWorkbook(
      await workbookOf([{ name: 'One', xml: rowsOf(rows.join('')) }], {
        shared: `<si><t>${'x'.repeat(1_000)}</t></si>`,
      }),
      10_000,
    );
    expect(workbook?.sheets[0]).toMatchObject({ more: true });
    expect(workbook?.sheets[0]?.lines).toHaveLength(10);
  });

  test('keeps 512 cells of a row and 50 sheets, and reports the rest', async () => {
    const wide = { name: 'Wide', xml: rowsOf(`<row r="1">${'<c><v>1</v></c>'.repeat(600)}</row>`) };
    const workbook = await readWorkbook(
      await workbookOf([wide, ...Array.from({ length: 52 }, (_, n) => longSheet(`S${n}`, 1))]),
      LIMIT,
    );
    expect(workbook?.sheets[0]?.lastColumn).toBe('SR');
    expect([workbook?.sheets.length, workbook?.leftOut.sheets]).toEqual([50, 3]);
  });

  test('ignores an invalid or endless number format', async () => {
    const more = {
      'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="[[[["/><numFmt numFmtId="201" formatCode="${'0'.repeat(300)}"/></numFmts><cellXfs><xf numFmtId="200"/><xf numFmtId="201"/></cellXfs></styleSheet>`,
    };
    const xml = rowsOf('<row r="1"><c s="0"><v>1.5</v></c><c s="1"><v>2</v></c><c s="99"><v>3</v></c></row>');
    expect(await linesOf(xml, { more })).toEqual([',A,B,C', '1,1.5,2,3']);
  });
});
