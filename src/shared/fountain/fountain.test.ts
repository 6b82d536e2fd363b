import fc from 'fast-check';
import { Fountain } from 'fountain-js';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '#tests/support/cpu-time.ts';
import { runsOf, styledLine, unstyledText } from './inline-styles.ts';
import { parseFountain } from './parse-fountain.ts';
import { scenesOf } from './scenes.ts';
import type { Block } from './screenplay.ts';
import { writeFountain } from './write-fountain.ts';

const blocksOf = (source: string) => parseFountain(source).blocks;
const firstBlock = (source: string): Block | undefined => blocksOf(source)[0];

const FILM = `Title: The Tide Clock
Credit: Written by
Author: Ada North
Draft date: 2026-11-21
Contact:
    Harbour Street 4
    Kiel

# Act one

= A clock that runs with the sea.

FADE IN:

INT./EXT. LIGHTHOUSE - NIGHT #12A#

Rain. The lamp *turns* over **black water**.

MARA (O.S.)
(not looking up)
It is late.
  
It is always late.

JON ^
So are you.

~A song about the sea
~and who it keeps

!CLICK.
The lamp dies.

[[Check the lamp's model.]]

.CLOSE ON: THE CLOCK

> THE END <

===

@McCREADY
Aye.

CUT TO:

/* cut for now:

INT. CELLAR - DAY

Nobody.
*/

EXT. BEACH - DAWN

Gulls.

> FADE OUT.
`;

describe('reading Fountain', () => {
  it('reads every element of the format', () => {
    const { title, blocks } = parseFountain(FILM);
    expect(title).toEqual([
      { key: 'Title', values: ['The Tide Clock'] },
      { key: 'Credit', values: ['Written by'] },
      { key: 'Author', values: ['Ada North'] },
      { key: 'Draft date', values: ['2026-11-21'] },
      { key: 'Contact', values: ['Harbour Street 4', 'Kiel'] },
    ]);
    expect(blocks).toEqual([
      { type: 'section', depth: 1, text: 'Act one' },
      { type: 'synopsis', text: 'A clock that runs with the sea.' },
      { type: 'action', text: 'FADE IN:' },
      { type: 'scene', text: 'INT./EXT. LIGHTHOUSE - NIGHT', number: '12A' },
      { type: 'action', text: 'Rain. The lamp *turns* over **black water**.' },
      {
        type: 'dialogue',
        character: 'MARA (O.S.)',
        dual: false,
        speech: [
          { type: 'parenthetical', text: 'not looking up' },
          { type: 'dialogue', text: 'It is late.\n\nIt is always late.' },
        ],
      },
      { type: 'dialogue', character: 'JON', dual: true, speech: [{ type: 'dialogue', text: 'So are you.' }] },
      { type: 'lyrics', text: 'A song about the sea\nand who it keeps' },
      { type: 'action', text: 'CLICK.\nThe lamp dies.' },
      { type: 'note', text: "Check the lamp's model." },
      { type: 'scene', text: 'CLOSE ON: THE CLOCK', number: null },
      { type: 'centered', text: 'THE END' },
      { type: 'page-break' },
      { type: 'dialogue', character: 'McCREADY', dual: false, speech: [{ type: 'dialogue', text: 'Aye.' }] },
      { type: 'transition', text: 'CUT TO:' },
      { type: 'scene', text: 'EXT. BEACH - DAWN', number: null },
      { type: 'action', text: 'Gulls.' },
      { type: 'transition', text: 'FADE OUT.' },
    ]);
  });

  it.each([
    ['int. house - day', 'scene'],
    ['EST. CITY', 'scene'],
    ['I/E CAR', 'scene'],
    ['INTERIOR MONOLOGUE', 'action'],
    ['...and then', 'action'],
    ['.BINOCULARS', 'scene'],
    ['SMASH CUT TO:', 'transition'],
    ['Cut to:', 'action'],
    ['> Burn to white', 'transition'],
    ['BANG', 'action'],
    ['23\nSeven', 'action'],
    ['R2D2\nBeep.', 'dialogue'],
    ['HANS (on the radio)\nWhat?', 'dialogue'],
    ['ÅSA\nJa.', 'dialogue'],
    ['ИРИНА\nДа.', 'dialogue'],
    ['!BOB\nwaits.', 'action'],
    ['/* never closed', 'action'],
    ['FADE IN:\n\nINT. A', 'action'],
  ])('reads %j as %s', (source, type) => expect(firstBlock(source)?.type).toBe(type));

  it('keeps the lines and the indentation of action, and removes a boneyard', () => {
    expect(firstBlock('One\n\ttwo /* no\n\nno */three')).toEqual({
      type: 'action',
      text: 'One\n    two three',
    });
  });

  it('finds scenes in the source', () => {
    const scenes = scenesOf(FILM);
    expect(scenes.map(({ heading }) => heading)).toEqual([
      'INT./EXT. LIGHTHOUSE - NIGHT',
      'CLOSE ON: THE CLOCK',
      'EXT. BEACH - DAWN',
    ]);
    expect(scenes.map(({ from, to }) => FILM.slice(from, to)).join('')).toBe(FILM.slice(scenes[0]?.from));
  });
});

describe('emphasis', () => {
  const styles = (line: string) =>
    runsOf(styledLine(line)).map(({ text, bold, italic, underline }) =>
      [text, bold && 'b', italic && 'i', underline && 'u'].filter(Boolean).join('|'),
    );
  it.each([
    ['a *b* **c** ***d*** _e_', ['a ', 'b|i', ' ', 'c|b', ' ', 'd|b|i', ' ', 'e|u']],
    ['_*both*_', ['both|i|u']],
    ['**bold *and italic***', ['bold |b', 'and italic|b|i']],
    ['\\*no\\* 2 * 3 * 4', ['*no* 2 * 3 * 4']],
    ['snake_case_name', ['snake_case_name']],
    ['*open', ['*open']],
    ['**half*', ['*', 'half|i']],
  ])('of %j', (line, expected) => expect(styles(line)).toEqual(expected));

  it('loses nothing but marks and notes', () => {
    expect(unstyledText('He [[who?]]*runs* far')).toBe('He runs far');
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '*', '_', 'é', '😀') }), (line) => {
        const withoutMarks = (text: string) => text.replaceAll(/[*_]/g, '');
        expect(withoutMarks(styledLine(line).characters.join(''))).toBe(withoutMarks(line));
      }),
    );
  });
});

const line = fc.oneof(
  fc.constantFrom(
    'INT. A - DAY',
    'EXT. B #1#',
    '.FORCED',
    '...',
    'BOB',
    'BOB (V.O.)',
    '@bob',
    'BOB ^',
    '(softly)',
    'Hello.',
    '  ',
    '',
    '',
    '~la',
    '> RIGHT',
    '> mid <',
    'CUT TO:',
    '# A',
    '### C',
    '= S',
    '===',
    '!BANG',
    '[[note]]',
    '[[open',
    'closed]]',
    'Title: X',
    'Source: Y',
    '    indented',
    '/* a',
    'b */',
    'a /* b */ c',
    '*i* **b** _u_',
    '@',
    '!',
    '~',
    '>',
    '><',
    '()',
    'INT',
    '\tTab',
  ),
  fc.string({
    maxLength: 12,
    unit: fc.constantFrom(
      'A',
      'b',
      ' ',
      '.',
      ':',
      '>',
      '<',
      '!',
      '@',
      '~',
      '#',
      '=',
      '[',
      ']',
      '(',
      ')',
      '^',
      '/',
      '*',
      '1',
      '\\',
    ),
  }),
);
const source = fc.array(line, { maxLength: 24 }).map((lines) => lines.join('\n'));

describe('writing Fountain', () => {
  it('preserves whatever was read', () => {
    fc.assert(
      fc.property(source, (text) => {
        const screenplay = parseFountain(text);
        expect(parseFountain(writeFountain(screenplay))).toEqual(screenplay);
      }),
      { numRuns: 3000 },
    );
    const film = parseFountain(FILM);
    expect(parseFountain(writeFountain(film))).toEqual(film);
  });

  it('is read the same by another parser', () => {
    const { tokens } = new Fountain().parse(writeFountain(parseFountain(FILM)), true);
    const names: Record<string, string> = { scene_heading: 'scene' };
    const actual = tokens
      .filter(({ type, is_title }) => !is_title && !/_(begin|end)$/.test(type) && type !== 'spaces')
      .map(({ type, text = '' }) => [names[type] ?? type.replace('_', '-'), text.replace(/<[^>]+>/g, '')]);
    const expected = parseFountain(FILM).blocks.flatMap((block): string[][] => {
      if (block.type === 'page-break') return [['page-break', '']];
      if (block.type !== 'dialogue') return [[block.type, unstyledText(block.text)]];
      const speech = block.speech.map(({ type, text }) => [
        type,
        type === 'parenthetical' ? `(${text})` : text,
      ]);
      return [['character', block.character], ...speech];
    });
    expect(actual.map(([type]) => type)).toEqual(expected.map(([type]) => type));
    const words = (rows: (string | undefined)[][]) =>
      rows.flatMap(([, text = '']) => text.match(/[\p{L}\p{N}']+/gu) ?? []);
    expect(words(actual)).toEqual(words(expected));
  });
});

describe('hostile text', () => {
  const SIZE = 200_000;
  const long = (piece: string) => piece.repeat(Math.ceil(SIZE / piece.length));
  it.each([
    '/*',
    '/**/',
    '[[',
    '[[\n',
    '*',
    '**_',
    '_a',
    '*a ',
    '***a** ',
    '\n',
    '  \n',
    'A\n',
    '(',
    'A\n(\n',
    '#',
    '# \n',
    '=\n',
    '>',
    '~\n',
    '.A\n\n',
    '!\n',
    'INT. #',
    ' ',
    'BOB ^\nx\n\n',
    'Title: x\n',
    '\\*',
    ':',
    'AAAAA',
  ])('of %j takes linear time', (piece) => {
    const text = long(piece);
    const ms = cpuTime(() => {
      const screenplay = parseFountain(text);
      writeFountain(screenplay);
      for (const block of screenplay.blocks) if ('text' in block) unstyledText(block.text);
      scenesOf(text);
    });
    expect(ms).toBeLessThan(1_500);
  });
});
