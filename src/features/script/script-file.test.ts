import { XMLParser } from 'fast-xml-parser';
import { Fountain } from 'fountain-js';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import { finalDraftXml } from '#shared/fountain/final-draft.ts';
import { screenplayText } from '#shared/fountain/formatted-text.ts';
import { paginate, screenplayLength } from '#shared/fountain/paginate.ts';
import { parseFountain } from '#shared/fountain/parse-fountain.ts';
import { screenplayMarkdown } from '#shared/fountain/screenplay-markdown.ts';
import { writeFountain } from '#shared/fountain/write-fountain.ts';
import { cpuTime } from '#tests/support/cpu-time.ts';
import { soak } from '#tests/support/soak.ts';
import { withTitlePage } from './script-file.server.ts';
import { renderScriptPdf } from './script-pdf.server.ts';

const facts = {
  title: 'The Tide & the <Clock>',
  author: null,
  name: 'Ada Größe',
  date: '2026-11-21',
};

const FILM = withTitlePage(
  parseFountain(`INT. LIGHTHOUSE - NIGHT #1#

Rain & wind < storm. The lamp *turns* over **black _water_**. Чёрное море, θάλασσα, žluť.

# A section that is not printed

MARA (O.S.)
(not looking up)
It is "late".

JON
So am I.

ANNA ^
So are we.

.CLOSE ON THE LAMP

It dies.

~A song

[[a note]]

CUT TO:

===

EXT. BEACH - DAWN

> THE END <
`),
  facts,
);

type Node = Record<string, unknown>;
const parser = new XMLParser({ preserveOrder: true, ignoreAttributes: false, trimValues: false });

function paragraphsOf(xml: string): { type: string; text: string; styles: string[] }[] {
  const found: { type: string; text: string; styles: string[] }[] = [];
  const walk = (nodes: Node[], inTitle: boolean) => {
    for (const node of nodes) {
      const name = Object.keys(node).find((key) => key !== ':@') ?? '';
      const inner = node[name];
      if (!Array.isArray(inner)) continue;
      const attributes = (node[':@'] ?? {}) as Record<string, string>;
      const texts = (inner as Node[]).filter((each) => 'Text' in each);
      if (name === 'Paragraph' && texts.length > 0)
        found.push({
          type: inTitle ? 'Title' : (attributes['@_Type'] ?? ''),
          text: texts.map((each) => String((each.Text as Node[])[0]?.['#text'] ?? '')).join(''),
          styles: texts.flatMap((each) => ((each[':@'] ?? {}) as Record<string, string>)['@_Style'] ?? []),
        });
      else walk(inner as Node[], inTitle || name === 'TitlePage');
    }
  };
  walk(parser.parse(xml) as Node[], false);
  return found;
}

async function readPages(pdf: Buffer): Promise<{ text: string; left: number; y: number }[][]> {
  const document = await getDocument({ data: new Uint8Array(pdf), useSystemFonts: false, verbosity: 0 })
    .promise;
  const pages: { text: string; left: number; y: number }[][] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(
      items.flatMap((item) =>
        'str' in item && item.str.trim() !== ''
          ? [{ text: item.str, left: item.transform[4] as number, y: item.transform[5] as number }]
          : [],
      ),
    );
  }
  return pages;
}

const words = (text: string) => text.match(/[\p{L}\p{N}']+/gu) ?? [];

describe('Final Draft', () => {
  it('is XML with typed paragraphs in order', () => {
    const xml = finalDraftXml(FILM);
    const paragraphs = paragraphsOf(xml);
    expect(paragraphs.map(({ type, text }) => [type, text])).toEqual([
      ['Scene Heading', 'INT. LIGHTHOUSE - NIGHT'],
      ['Action', 'Rain & wind < storm. The lamp turns over black water. Чёрное море, θάλασσα, žluť.'],
      ['Character', 'MARA (O.S.)'],
      ['Parenthetical', '(not looking up)'],
      ['Dialogue', 'It is "late".'],
      ['Character', 'JON'],
      ['Dialogue', 'So am I.'],
      ['Character', 'ANNA'],
      ['Dialogue', 'So are we.'],
      ['Shot', 'CLOSE ON THE LAMP'],
      ['Action', 'It dies.'],
      ['Action', 'A song'],
      ['Transition', 'CUT TO:'],
      ['Scene Heading', 'EXT. BEACH - DAWN'],
      ['Action', 'THE END'],
      ['Title', 'The Tide & the <Clock>'],
      ['Title', 'Written by'],
      ['Title', 'Ada Größe'],
      ['Title', '2026-11-21'],
    ]);
    expect(paragraphs[1]?.styles).toEqual(['Italic', 'Bold', 'Bold+Underline']);
    expect(xml).toMatch(/<Paragraph><DualDialogue>\n<Paragraph Type="Character"><Text>JON/);
    expect(xml).toContain('<Paragraph Type="Scene Heading" Number="1">');
    expect(xml).toContain('<Paragraph Type="Scene Heading" StartsNewPage="Yes"><Text>EXT. BEACH');
    expect(
      xml.startsWith(
        '<?xml version="1.0" encoding="UTF-8" standalone="no" ?>\n<FinalDraft DocumentType="Script" Template="No" Version="4">',
      ),
    ).toBe(true);
  });

  it('has a paragraph for each line, and no text contains a line break', () => {
    const xml = finalDraftXml(
      parseFountain('INT. A - DAY\n\nA click.\nThe lamp dies.\n\nMARA\nOne.\nTwo.\n'),
    );
    expect(xml).not.toMatch(/<Text[^>]*>[^<]*\n/);
    expect(paragraphsOf(xml).map(({ type, text }) => [type, text])).toEqual([
      ['Scene Heading', 'INT. A - DAY'],
      ['Action', 'A click.'],
      ['Action', 'The lamp dies.'],
      ['Character', 'MARA'],
      ['Dialogue', 'One.'],
      ['Dialogue', 'Two.'],
    ]);
    const later = parseFountain('One.\n\n===\n\nTwo.\nThree.\n');
    expect(finalDraftXml(later).match(/StartsNewPage/g)).toHaveLength(1);
  });

  it('contains no character that XML forbids', () => {
    const text = 'a\ufffe\uffff]]>\ud800 & "b"';
    const xml = finalDraftXml({ title: [], blocks: [{ type: 'action', text: `x\u0001\u0008${text}` }] });
    expect(xml).not.toMatch(/[\u0000-\u0008\ufffe\uffff]/);
    expect(paragraphsOf(xml)[0]?.text).toBe('xa]]>\ufffd & "b"');
  });
});

describe('Fountain', () => {
  it('has the title page that other apps expect', () => {
    const text = writeFountain(FILM);
    expect(
      text.startsWith(
        'Title: The Tide & the <Clock>\nCredit: Written by\nAuthor: Ada Größe\nDraft date: 2026-11-21\n\nINT.',
      ),
    ).toBe(true);
    expect(parseFountain(text)).toEqual(FILM);
    const { tokens } = new Fountain().parse(text, true);
    expect(tokens.flatMap(({ type, is_title }) => (is_title ? [type] : []))).toEqual([
      'title',
      'credit',
      'author',
      'draft_date',
    ]);
  });

  it('keeps the author named in the text, and uses the title that the owner set', () => {
    const own = parseFountain('Title: Old\nAuthor: Somebody\nContact: x@example.com\n\nINT. A - DAY');
    expect(withTitlePage(own, facts).title).toEqual([
      { key: 'Title', values: ['The Tide & the <Clock>'] },
      { key: 'Credit', values: ['Written by'] },
      { key: 'Author', values: ['Somebody'] },
      { key: 'Draft date', values: ['2026-11-21'] },
      { key: 'Contact', values: ['x@example.com'] },
    ]);
  });
});

describe('the author of a title page', () => {
  const keysOf = (author: string | null, source = 'INT. A - DAY') =>
    withTitlePage(parseFountain(source), { ...facts, author }).title.map(({ key, values }) => [
      key,
      ...values,
    ]);
  const [title, date] = [
    ['Title', facts.title],
    ['Draft date', facts.date],
  ];

  it('is the one that the owner set, rather than that of the text or the account', () => {
    const expected = [title, ['Credit', 'Written by'], ['Author', 'Mara Quill'], date];
    expect(keysOf('Mara Quill')).toEqual(expected);
    expect(keysOf('Mara Quill', 'Title: Old\nAuthors: A and B\n\nINT. A - DAY')).toEqual(expected);
  });

  it('is omitted, without a default credit, if the owner leaves it empty', async () => {
    expect(keysOf('')).toEqual([title, date]);
    const own = 'Title: Old\nCredit: A film by\nAuthor: Somebody\n\nINT. A - DAY';
    expect(keysOf('', own)).toEqual([title, ['Credit', 'A film by'], date]);
    const withoutAuthor = withTitlePage(parseFountain('INT. A - DAY'), { ...facts, author: '' });
    expect(writeFountain(withoutAuthor)).not.toMatch(/Author|Written by|Ada/);
    expect(finalDraftXml(withoutAuthor)).not.toContain('Ada');
    const [page] = await readPages(await renderScriptPdf(withoutAuthor, 'a4'));
    expect(page?.map(({ text }) => text)).toEqual([facts.title, facts.date]);
  });
});

describe('PDF', () => {
  it('has the same words in the same order, at the industry’s margins', async () => {
    const [title, first, second] = await readPages(await renderScriptPdf(FILM, 'letter'));
    expect(title?.map(({ text }) => text)).toEqual([
      'The Tide & the <Clock>',
      'Written by',
      'Ada Größe',
      '2026-11-21',
    ]);
    const text = (page: typeof first) => (page ?? []).map((each) => each.text).join(' ');
    const expected = screenplayText({ title: [], blocks: FILM.blocks });
    const [before, after] = expected.split('EXT. BEACH');
    expect(words(text(first))).toEqual(words(before ?? ''));
    expect(words(text(second))).toEqual(words(`2. EXT. BEACH${after}`));
    const left = (start: string) => first?.find((each) => each.text.startsWith(start))?.left ?? 0;
    expect(left('INT.')).toBeCloseTo(108, 0);
    expect(left('MARA')).toBeCloseTo(108 + 22 * 7.2, 0);
    expect(left('(not')).toBeCloseTo(108 + 16 * 7.2, 0);
    expect(left('It is')).toBeCloseTo(108 + 10 * 7.2, 0);
    expect(left('CUT')).toBeCloseTo(612 - 72 - 7 * 7.2, 0);
  });

  it('shows (CONT’D) once for a continued speech that is split by a page break', () => {
    const speech = Array.from({ length: 700 }, (_, at) => `word${at}`).join(' ');
    const rows = paginate(parseFountain(`INT. A - DAY\n\nJON (CONT'D)\n${speech}\n`)).flat();
    const names = rows.map((row) => row?.cells[0]?.runs.map(({ text }) => text).join('') ?? '');
    expect(names.filter((text) => text.startsWith('JON')).length).toBeGreaterThan(1);
    expect(names.filter((text) => text.includes("(CONT'D) (CONT'D)"))).toEqual([]);
  });

  it('splits long speeches with (MORE) and (CONT’D), and leaves no heading or name alone', async () => {
    const speech = Array.from({ length: 700 }, (_, at) => `word${at}`).join(' ');
    const script = parseFountain(
      Array.from(
        { length: 12 },
        (_, at) =>
          `INT. ROOM ${at} - DAY\n\n${'He waits and waits. '.repeat(5 + at * 3)}\n\nJON\n${speech.slice(0, 300 + at * 211)}`,
      ).join('\n\n'),
    );
    const pages = paginate(script);
    for (const [at, page] of pages.entries()) {
      expect(page.length).toBeLessThanOrEqual(55);
      const lines = page.flatMap((row) =>
        row ? [row.cells.flatMap(({ runs }) => runs.map(({ text }) => text)).join('')] : [],
      );
      const last = lines.at(-1) ?? '';
      if (at < pages.length - 1) expect(last).not.toMatch(/^(?:JON|INT\.)/);
      if (last === '(MORE)') expect(pages[at + 1]?.[0]?.cells[0]?.runs[0]?.text).toBe("JON (CONT'D)");
    }
    const all = pages.flat().filter((row) => row !== null);
    expect(all.some(({ cells }) => cells[0]?.runs[0]?.text === '(MORE)')).toBe(true);
    const printedWords = words(
      (await readPages(await renderScriptPdf(script, 'letter')))
        .flat()
        .map(({ text }) => text)
        .join(' '),
    );
    for (const word of ['word0', 'word333']) expect(printedWords).toContain(word);
  });

  it('uses two columns for each Chinese or Japanese character', async () => {
    const source = `Title: 夜行列车\n\nINT. 车站 - 夜\n\n雨。**李娜**站在月台上 (waiting)。\n\n@田中さん\nごめん、遅れて。`;
    const [title, page] = await readPages(await renderScriptPdf(parseFountain(source), 'a4'));
    expect(title?.map(({ text }) => text).join('')).toBe('夜行列车');
    const lines = Map.groupBy(page ?? [], ({ y }) => y).values();
    const joinText = (line: { text: string }[]) => line.map(({ text }) => text.replaceAll(' ', '')).join('');
    expect([...lines].map(joinText)).toEqual([
      'INT.车站-夜',
      '雨。李娜站在月台上(waiting)。',
      '田中さん',
      'ごめん、遅れて。',
    ]);
    const column = (start: string) =>
      Math.round(((page?.find(({ text }) => text.startsWith(start))?.left ?? 0) - 108) / 7.2);
    expect([column('雨'), column('李'), column('(')]).toEqual([0, 4, 19]);
  });

  it('reports the characters that it cannot show, and omits emoji', async () => {
    await expect(renderScriptPdf(parseFountain('INT. A - DAY\n\nชายหาด'), 'a4')).rejects.toThrow(
      /No font knows ช/,
    );
    const [page] = await readPages(
      await renderScriptPdf(parseFountain('INT. A - DAY\n\nShe smiles 😀 now.'), 'a4'),
    );
    expect(words(page?.map(({ text }) => text).join(' ') ?? '')).toEqual([
      'INT',
      'A',
      'DAY',
      'She',
      'smiles',
      'now',
    ]);
  });
});

describe('text and Markdown', () => {
  it('use the columns of the page, or headings and quotations', () => {
    const text = screenplayText(FILM);
    expect(text).toContain(`INT. LIGHTHOUSE - NIGHT${' '.repeat(36)}1\n`);
    expect(text).toContain(
      `${' '.repeat(22)}MARA (O.S.)\n${' '.repeat(16)}(not looking up)\n${' '.repeat(10)}It is "late".`,
    );
    expect(text).toContain(`${' '.repeat(10)}JON${' '.repeat(28)}ANNA`);
    expect(text).toContain(`${' '.repeat(53)}CUT TO:`);
    expect(text).not.toMatch(/section|a note/);
    const markdown = screenplayMarkdown(FILM);
    expect(markdown).toContain('# The Tide & the \\<Clock\\>');
    expect(markdown).toContain('## EXT. BEACH - DAWN');
    expect(markdown).toContain('> **MARA (O.S.)**\\\n> *(not looking up)*\\\n> It is "late".');
    expect(markdown).toContain('The lamp *turns* over **black** **water**');
  });

  it('have a length in pages and minutes', () => {
    expect(screenplayLength(parseFountain(''))).toEqual({ pages: 0, minutes: 0 });
    expect(screenplayLength(parseFountain('INT. A - DAY\n\nX.'))).toEqual({ pages: 1, minutes: 1 });
    const long = parseFountain(Array.from({ length: 80 }, (_, at) => `Line ${at}.`).join('\n\n'));
    expect(screenplayLength(long)).toEqual({ pages: 3, minutes: 3 });
  });

  it.runIf(soak)('take time in proportion to the length of the script', () => {
    for (const piece of ['a ', 'a', '*a* ', 'A\nb\n\n', 'A\nb ^\n\n', ' ', '- ']) {
      const script = parseFountain(piece.repeat(200_000 / piece.length));
      const ms = cpuTime(() => {
        screenplayLength(script);
        screenplayText(script);
        finalDraftXml(script);
        screenplayMarkdown(script);
      });
      expect(ms, piece).toBeLessThan(4_000);
    }
  });
});
