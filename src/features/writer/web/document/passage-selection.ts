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

const isBlank = (unit: string | undefined) => unit !== undefined && /\s/.test(unit);

const opening = (wraps: Wrap[]) => wraps.map(({ marks }) => marks?.open ?? '').join('');
const closing = (wraps: Wrap[]) =>
  wraps
    .toReversed()
    .map(({ marks }) => marks?.close ?? '')
    .join('');

export function trimBlanks(visible: string, { at, first, last }: BlockRange): BlockRange | null {
  let [from, to] = [first, last];
  while (from <= to && isBlank(visible[from])) from++;
  while (to >= from && isBlank(visible[to])) to--;
  return from > to ? null : { at, first: from, last: to };
}

/** 1 for the end of a selection, -1 for its start. */
type Side = 1 | -1;

/**
 * Closes and reopens, at a blank, the marks of an element that extends beyond the selection. An end inside a word of
 * such an element moves to the end of that word; in an element that cannot be split, to the end of the element.
 */
function edgeOf(end: End, other: End, side: Side): { place: number; edits: Edit[] } | null {
  const { map } = end;
  const { visible, from, to, wraps } = map;
  const outer = (wrap: Wrap) => (side < 0 ? wrap.first : wrap.last);
  for (;;) {
    const index = end.index;
    const path = wraps[index] ?? [];
    const common = map === other.map ? (wraps[other.index] ?? []) : [];
    const crossed = path.filter((wrap) => !common.includes(wrap));
    const cut = crossed.filter((wrap) => outer(wrap) !== index);
    const [whole] = crossed.slice(cut.length);
    const place = side < 0 ? (whole?.from ?? from[index]) : (whole?.to ?? to[index]);
    if (place === undefined || place < 0) return null;
    if (cut.length === 0) return { place, edits: [] };
    const fixed = cut.find(({ marks }) => marks === null);
    const bound = outer(cut.at(-1)!);
    let blank = index + side;
    if (fixed) end.index = outer(fixed);
    else if (!isBlank(visible[blank])) end.index = blank;
    else {
      while (blank !== bound && isBlank(visible[blank + side])) blank += side;
      const beyond = (side < 0 ? from[blank] : to[blank]) ?? -1;
      if (blank === bound) end.index = blank;
      else if (beyond < 0) return null;
      else
        return side < 0
          ? {
              place,
              edits: [
                { at: beyond, insert: closing(cut) },
                { at: place, insert: opening(cut) },
              ],
            }
          : {
              place,
              edits: [
                { at: place, insert: closing(cut) },
                { at: beyond, insert: opening(cut) },
              ],
            };
    }
  }
}

/** Used if it is unknown which words of the source are selected. */
function wholeBlocks(text: string, places: TextBlock[], first: number, last: number): SelectedPassage | null {
  const [start, end] = [places[first], places[last]];
  return start && end ? { text, from: start.from, to: end.to, first, last } : null;
}

export function selectedPassage(
  text: string,
  places: TextBlock[],
  start: Pick<BlockRange, 'at' | 'first'>,
  stop: Pick<BlockRange, 'at' | 'last'>,
): SelectedPassage | null {
  const [head, foot] = [places[start.at], places[stop.at]];
  if (!head || !foot) return null;
  const map = sourceMap(head.token, text, head.from);
  const first: End = { map, index: start.first };
  const last: End = {
    map: start.at === stop.at ? map : sourceMap(foot.token, text, foot.from),
    index: stop.last,
  };
  let begin = edgeOf(first, last, -1);
  let end = edgeOf(last, first, 1);
  // Each end may have moved out of an element that contains the other.
  for (let moved = true; moved && begin && end; ) {
    const [from, to] = [first.index, last.index];
    begin = edgeOf(first, last, -1);
    end = edgeOf(last, first, 1);
    moved = first.index !== from || last.index !== to;
  }
  if (!begin || !end || begin.place >= end.place) return wholeBlocks(text, places, start.at, stop.at);
  const edits = [...begin.edits, ...end.edits];
  let [written, read, from, to] = ['', 0, begin.place, end.place];
  for (const [index, { at, insert }] of edits.entries()) {
    written += text.slice(read, at) + insert;
    read = at;
    // Marks opened at the start and closed at the end belong to the passage.
    if (begin.edits.length > 0 && index === 0) from += insert.length;
    if (index < edits.length - (end.edits.length > 0 ? 1 : 0)) to += insert.length;
  }
  written += text.slice(read);
  const passage = passageAt(textBlocksOf(written), { from, to });
  return passage ? { ...passage, text: written } : null;
}
