import { memo, useMemo, useRef } from 'react';
import { hasLongWord } from './long-word.ts';
import { MemoBlock } from './markdown-blocks.tsx';
import { type Block, GrowingDocument, readDocument } from './markdown-document.ts';

function levelsOf(blocks: Block[]): number[] {
  const open: number[] = [];
  return blocks.map(({ token }) => {
    if (token.type !== 'heading') return 0;
    while (open.length > 0 && open.at(-1)! >= token.depth) open.pop();
    open.push(token.depth);
    return Math.min(2 + open.length, 6);
  });
}

function Blocks({ blocks, open }: { blocks: Block[]; open: boolean }) {
  const levels = levelsOf(blocks);
  return blocks.map(({ token, definitions }, at) => {
    const isLast = at === blocks.length - 1;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other key
      <MemoBlock key={at} token={token} definitions={definitions} level={levels[at]} open={open && isLast} />
    );
  });
}

/**
 * While `streaming`, only the end is parsed again, and its unfinished markup is repaired. Afterwards everything is
 * parsed once more, so that late definitions reach their links.
 */
export const Markdown = memo(function Markdown({
  text,
  streaming = false,
}: {
  text: string;
  streaming?: boolean;
}) {
  const growing = useRef<GrowingDocument>(null);
  const blocks = useMemo(() => {
    if (!streaming) return readDocument(text);
    growing.current ??= new GrowingDocument();
    return growing.current.read(text);
  }, [text, streaming]);
  return (
    <div className="md" data-unkerned={hasLongWord(text) ? '' : undefined}>
      <Blocks blocks={blocks} open={streaming} />
    </div>
  );
});
