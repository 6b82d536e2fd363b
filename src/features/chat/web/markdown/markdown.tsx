import { memo, useMemo, useRef } from 'react';
import { MemoBlock } from './blocks.tsx';
import { type Block, GrowingDocument, readDocument } from './document.ts';

function Blocks({ blocks, open }: { blocks: Block[]; open: boolean }) {
  return blocks.map(({ token, meaning }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity but their place
    <MemoBlock key={at} token={token} meaning={meaning} open={open && at === blocks.length - 1} />
  ));
}

/**
 * A text of a model as elements. While `streaming`, only the end of the text is read again and its unfinished markers
 * are mended; at the end the whole is read once more, so that definitions given late reach their links.
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
    <div className="md">
      <Blocks blocks={blocks} open={streaming} />
    </div>
  );
});
