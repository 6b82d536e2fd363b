import type { Run } from './inline-styles.ts';
import { unstyledText, withoutNotes } from './inline-styles.ts';
import type { Block, Screenplay } from './screenplay.ts';
import { columnsOf, wrap } from './wrap-text.ts';

/** 12 point Courier has ten columns per inch; the margins are 1.5 inches left and 1 inch right. */
const COLUMNS = 60;

export interface Cell {
  at: number;
  runs: Run[];
}

export interface Row {
  type: 'text' | 'name' | 'aside' | 'speech';
  cells: Cell[];
}

export interface Group {
  type: 'scene' | 'text' | 'speech' | 'dual' | 'page-break';
  block: number;
  rows: Row[];
  name: string;
}

const wide = { name: 22, aside: 16, speech: 10, asideWidth: 25, width: 35, nameWidth: 38 };
const half = { name: 10, aside: 4, speech: 0, asideWidth: 22, width: 28, nameWidth: 18 };
const SECOND = 31;

const row = (type: Row['type'], at: number, runs: Run[]): Row => ({ type, cells: [{ at, runs }] });
const run = (text: string): Run[] => [{ text, bold: false, italic: false, underline: false }];

const rightOf = (runs: Run[]): Row => row('text', Math.max(0, COLUMNS - columnsOf(runs)), runs);
const middleOf = (runs: Run[]): Row =>
  row('text', Math.max(0, Math.floor((COLUMNS - columnsOf(runs)) / 2)), runs);

function speechRows(block: Block & { type: 'dialogue' }, places: typeof wide, left: number): Row[] {
  const rows = wrap(block.character, places.nameWidth).map((runs) => row('name', left + places.name, runs));
  for (const { type, text } of block.speech) {
    if (type === 'parenthetical')
      for (const runs of wrap(`(${text})`, places.asideWidth))
        rows.push(row('aside', left + places.aside, runs));
    else for (const runs of wrap(text, places.width)) rows.push(row('speech', left + places.speech, runs));
  }
  return rows;
}

function sideBySide(left: Row[], right: Row[]): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [a, b] = [left[at], right[at]];
    rows.push({ type: (a ?? b)!.type, cells: [...(a?.cells ?? []), ...(b?.cells ?? [])] });
  }
  return rows;
}

export const moreRow = (): Row => row('name', wide.name, run('(MORE)'));
export const continuedRow = (name: string): Row =>
  row('name', wide.name, run(/\(CONT['’]D\)\s*$/i.test(name) ? name : `${name} (CONT'D)`));

function rowsOf(block: Block): Row[] | null {
  switch (block.type) {
    case 'scene': {
      const rows = wrap(block.text.toUpperCase(), COLUMNS).map((runs) => row('text', 0, runs));
      const [first] = rows;
      if (
        block.number !== null &&
        first &&
        columnsOf(first.cells[0]!.runs) < COLUMNS - block.number.length - 1
      )
        first.cells.push({ at: COLUMNS - block.number.length, runs: run(block.number) });
      return rows;
    }
    case 'action':
      return withoutNotes(block.text).trim() === '' && block.text !== ''
        ? null
        : wrap(block.text, COLUMNS).map((runs) => row('text', 0, runs));
    case 'dialogue':
      return speechRows(block, wide, 0);
    case 'lyrics':
      return wrap(block.text, wide.width).map((runs) =>
        row(
          'text',
          wide.speech,
          runs.map((each) => ({ ...each, italic: true })),
        ),
      );
    case 'transition':
      return wrap(block.text, COLUMNS).map(rightOf);
    case 'centered':
      return wrap(block.text, COLUMNS).map(middleOf);
    case 'page-break':
      return [];
    default:
      return null;
  }
}

export function printRows({ blocks }: Pick<Screenplay, 'blocks'>): Group[] {
  const groups: Group[] = [];
  for (const [at, block] of blocks.entries()) {
    const previous = blocks[at - 1];
    const last = groups.at(-1);
    if (block.type === 'dialogue' && block.dual && previous?.type === 'dialogue' && last?.type === 'speech') {
      groups.pop();
      const rows = sideBySide(speechRows(previous, half, 0), speechRows(block, half, SECOND));
      groups.push({ type: 'dual', block: at - 1, rows, name: '' });
      continue;
    }
    const rows = rowsOf(block);
    if (rows === null) continue;
    const type =
      block.type === 'dialogue'
        ? 'speech'
        : block.type === 'scene' || block.type === 'page-break'
          ? block.type
          : 'text';
    groups.push({
      type,
      block: at,
      rows,
      name: block.type === 'dialogue' ? unstyledText(block.character) : '',
    });
  }
  return groups;
}
