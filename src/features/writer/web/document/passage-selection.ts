import { type SourceMap, sourceMap, type Wrap } from '#ui/markdown/source-map.ts';
import type { Passage } from './passage.ts';
import { passageAt, type TextBlock, textBlocksOf } from './text-blocks.ts';

/** `first` and `last` are indices of visible characters in the block `at`. */
export interface BlockRange {
  at: number;
  first: number;
  last: number;
}

/** In `text`, the marks of partly selected elements are closed and repeated. */
export interface SelectedPassage extends Passage {
  text: string;
}

interface End {
  map: SourceMap;
  index: number;
}

interface Edit {
  at: number;
  insert: string;
}

const isWhitespace = (unit: string | undefined) => unit !== undefined && /\s/.test(unit);

const openingMarks = (wraps: Wrap[]) => wraps.map(({ marks }) => marks?.open ?? '').join('');
const closingMarks = (wraps: Wrap[]) =>
  wraps
    .toReversed()
    .map(({ marks }) => marks?.close ?? '')
    .join('');

export function trimWhitespace(visible: string, { at, first, last }: BlockRange): BlockRange | null {
  let [from, to] = [first, last];
  while (from <= to && isWhitespace(visible[from])) from++;
  while (to >= from && isWhitespace(visible[to])) to--;
  return from > to ? null : { at, first: from, last: to };
}

/** 1 for the end of a selection, -1 for its start. */
type Side = 1 | -1;

/**
 * Closes and reopens, at a blank, the marks of an element that extends beyond the selection. An end inside a word of
 * such an element moves to the end of that word; in an element that cannot be split, to the end of the element.
 */
function findEdge(end: End, other: End, side: Side): { offset: number; edits: Edit[] } | null {
  const { map } = end;
  const { visible, from, to, wraps } = map;
  const outerIndex = (wrap: Wrap) => (side < 0 ? wrap.first : wrap.last);
  for (;;) {
    const index = end.index;
    const path = wraps[index] ?? [];
    const common = map === other.map ? (wraps[other.index] ?? []) : [];
    const crossed = path.filter((wrap) => !common.includes(wrap));
    const cut = crossed.filter((wrap) => outerIndex(wrap) !== index);
    const [uncut] = crossed.slice(cut.length);
    const offset = side < 0 ? (uncut?.from ?? from[index]) : (uncut?.to ?? to[index]);
    if (offset === undefined || offset < 0) return null;
    if (cut.length === 0) return { offset, edits: [] };
    const unsplittable = cut.find(({ marks }) => marks === null);
    const limit = outerIndex(cut.at(-1)!);
    let space = index + side;
    if (unsplittable) end.index = outerIndex(unsplittable);
    else if (!isWhitespace(visible[space])) end.index = space;
    else {
      while (space !== limit && isWhitespace(visible[space + side])) space += side;
      const beyond = (side < 0 ? from[space] : to[space]) ?? -1;
      if (space === limit) end.index = space;
      else if (beyond < 0) return null;
      else
        return side < 0
          ? {
              offset,
              edits: [
                { at: beyond, insert: closingMarks(cut) },
                { at: offset, insert: openingMarks(cut) },
              ],
            }
          : {
              offset,
              edits: [
                { at: offset, insert: closingMarks(cut) },
                { at: beyond, insert: openingMarks(cut) },
              ],
            };
    }
  }
}

/** Used if it is unknown which words of the source are selected. */
function wholeBlocks(text: string, blocks: TextBlock[], first: number, last: number): SelectedPassage | null {
  const [start, end] = [blocks[first], blocks[last]];
  return start && end ? { text, from: start.from, to: end.to, first, last } : null;
}

export function selectedPassage(
  text: string,
  blocks: TextBlock[],
  start: Pick<BlockRange, 'at' | 'first'>,
  stop: Pick<BlockRange, 'at' | 'last'>,
): SelectedPassage | null {
  const [firstBlock, lastBlock] = [blocks[start.at], blocks[stop.at]];
  if (!firstBlock || !lastBlock) return null;
  const map = sourceMap(firstBlock.token, text, firstBlock.from);
  const first: End = { map, index: start.first };
  const last: End = {
    map: start.at === stop.at ? map : sourceMap(lastBlock.token, text, lastBlock.from),
    index: stop.last,
  };
  let startEdge = findEdge(first, last, -1);
  let endEdge = findEdge(last, first, 1);
  // Each end may have moved out of an element that contains the other.
  for (let moved = true; moved && startEdge && endEdge; ) {
    const [from, to] = [first.index, last.index];
    startEdge = findEdge(first, last, -1);
    endEdge = findEdge(last, first, 1);
    moved = first.index !== from || last.index !== to;
  }
  if (!startEdge || !endEdge || startEdge.offset >= endEdge.offset)
    return wholeBlocks(text, blocks, start.at, stop.at);
  const edits = [...startEdge.edits, ...endEdge.edits];
  let [newText, copiedTo, from, to] = ['', 0, startEdge.offset, endEdge.offset];
  for (const [index, { at, insert }] of edits.entries()) {
    newText += text.slice(copiedTo, at) + insert;
    copiedTo = at;
    // Marks opened at the start and closed at the end belong to the passage.
    if (startEdge.edits.length > 0 && index === 0) from += insert.length;
    if (index < edits.length - (endEdge.edits.length > 0 ? 1 : 0)) to += insert.length;
  }
  newText += text.slice(copiedTo);
  const passage = passageAt(textBlocksOf(newText), { from, to });
  return passage ? { ...passage, text: newText } : null;
}
