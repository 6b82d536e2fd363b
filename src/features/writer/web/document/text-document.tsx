import { Pencil, Wand } from 'lucide-react';
import { type KeyboardEvent, memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { TargetPassage } from '#client/target-passage.tsx';
import { m } from '#messages';
import { shortened } from '#shared/clean-text.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { MemoBlock } from '#ui/markdown/markdown-blocks.tsx';
import { markdownToText } from '#ui/markdown/markdown-to-text.ts';
import { BlockEditor } from './block-editor.tsx';
import { type Passage, replaceRange } from './passage.ts';
import { RefineBar, type RephraseRequest } from './refine-bar.tsx';
import { passageAt, type TextBlock, textBlocksOf } from './text-blocks.ts';
import { usePassageSelection } from './use-passage-selection.ts';

interface TextDocumentProps {
  text: string;
  /** False while something is being written, for an older version, and while a suggestion is open. */
  editable: boolean;
  /** Shown below its passage, or above the text if it has no place. */
  suggestion: { place: Pick<Passage, 'from' | 'to'> | null; view: ReactNode } | null;
  price: string | null;
  onChange: (text: string) => void;
  onTyping: (text: string) => void;
  onRefine: (text: string, passage: Pick<Passage, 'from' | 'to'>, request: RephraseRequest) => void;
  onUndo: () => void;
  onRedo: () => void;
}

const blockNames: Record<string, (values: { number: number; text: string }) => string> = {
  heading: m.writer_block_heading,
  list: m.writer_block_list,
  blockquote: m.writer_block_quote,
  code: m.writer_block_code,
  table: m.writer_block_table,
};

const blockName = ({ token }: TextBlock, index: number) => {
  const words = markdownToText(token.raw).replace(/\s+/g, ' ');
  return (blockNames[token.type] ?? m.writer_block_paragraph)({
    number: index + 1,
    text: shortened(words, 40),
  });
};

const Body = memo(function Body({ textBlock }: { textBlock: TextBlock }) {
  return <MemoBlock token={textBlock.token} definitions="" open={false} level={textBlock.level} />;
});

function useBlocks({ text, editable, onChange }: TextDocumentProps) {
  const page = useRef<HTMLDivElement>(null);
  const textBlocks = useMemo(() => textBlocksOf(text), [text]);
  const [editing, setEditing] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  const { passage, choose, select } = usePassageSelection(page, text, textBlocks);

  const toolButtons = (index: number) =>
    page.current?.querySelectorAll<HTMLElement>(`[data-at="${index}"] .doc-tools button`);
  const focusTools = (index: number, buttonIndex = 0) =>
    requestAnimationFrame(() => toolButtons(index)?.[buttonIndex]?.focus());
  const edit = (index: number) => {
    choose(null);
    setActive(index);
    setEditing(index);
  };
  return {
    page,
    textBlocks,
    editing,
    passage,
    choose,
    edit,
    current: Math.min(active, textBlocks.length - 1),
    returnFocus(index: number) {
      if (document.activeElement !== document.body) return;
      toolButtons(Math.min(index, textBlocks.length - 1))?.[0]?.focus({ preventScroll: true });
    },
    setActive,
    select: () => editable && select(),
    /** Opens the editor on a click that selects nothing and is not on an interactive element. */
    editOnClick(index: number, target: EventTarget) {
      if (!editable || !getSelection()?.isCollapsed) return;
      if (target instanceof Element && !target.closest('a, button, summary, pre')) edit(index);
    },
    moveFocus(to: number, buttonIndex: number) {
      if (to < 0 || to >= textBlocks.length) return;
      setActive(to);
      focusTools(to, buttonIndex);
    },
    finishEditing(index: number, textBlock: TextBlock, markdown: string, byKey: boolean) {
      setEditing(null);
      onChange(replaceRange(text, textBlock, markdown));
      if (byKey) focusTools(index);
    },
    refineSelection(textBlock: TextBlock, markdown: string, from: number, to: number) {
      const newText = replaceRange(text, textBlock, markdown);
      setEditing(null);
      onChange(newText);
      const [before, part] = [markdown.slice(0, from), markdown.slice(from, to)];
      const start = textBlock.from + before.length + part.length - part.trimStart().length;
      const chosen = passageAt(textBlocksOf(newText), { from: start, to: start + part.trim().length });
      choose(chosen && { ...chosen, text: newText }, newText);
    },
    close(restoreFocus: boolean) {
      if (restoreFocus && passage) focusTools(passage.last, 1);
      choose(null);
    },
  };
}

interface BlockToolsProps {
  name: string;
  /** Only one block's buttons are in the tab order; the arrow keys lead to the others. */
  current: boolean;
  onFocus: () => void;
  onEdit: () => void;
  onChange: () => void;
  onStep: (delta: 1 | -1, buttonIndex: number) => void;
}

const keySteps: Record<string, 1 | -1> = { ArrowDown: 1, ArrowUp: -1 };

function BlockTools({ name, current, onFocus, onEdit, onChange, onStep }: BlockToolsProps) {
  const buttons = [
    { label: m.writer_block_edit({ block: name }), title: m.common_edit(), Icon: Pencil, run: onEdit },
    { label: m.writer_block_change({ block: name }), title: m.writer_change(), Icon: Wand, run: onChange },
  ];
  const onKeyDown = (event: KeyboardEvent, buttonIndex: number) => {
    const delta = keySteps[event.key];
    if (!delta) return;
    event.preventDefault();
    onStep(delta, buttonIndex);
  };
  return (
    <div className="doc-tools">
      {buttons.map(({ label, title, Icon, run }, buttonIndex) => (
        <IconButton
          key={label}
          tabIndex={current ? 0 : -1}
          label={label}
          title={title}
          onFocus={onFocus}
          onKeyDown={(event) => onKeyDown(event, buttonIndex)}
          onClick={run}
          Icon={Icon}
        />
      ))}
    </div>
  );
}

type Blocks = ReturnType<typeof useBlocks>;

function Block({
  index,
  textBlock,
  blocks,
  props,
}: {
  index: number;
  textBlock: TextBlock;
  blocks: Blocks;
  props: TextDocumentProps;
}) {
  const { text, editable, onTyping } = props;
  if (blocks.editing === index)
    return (
      <BlockEditor
        markdown={text.slice(textBlock.from, textBlock.to)}
        name={m.writer_block_edit({ block: blockName(textBlock, index) })}
        onTyping={(markdown) => onTyping(replaceRange(text, textBlock, markdown))}
        onDone={(markdown, byKey) => blocks.finishEditing(index, textBlock, markdown, byKey)}
        onRefine={(markdown, from, to) => blocks.refineSelection(textBlock, markdown, from, to)}
      />
    );
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: for pointers; the Edit button serves the keyboard */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div className="md doc-body" dir="auto" onClick={(event) => blocks.editOnClick(index, event.target)}>
        <Body textBlock={textBlock} />
      </div>
      {editable ? (
        <BlockTools
          name={blockName(textBlock, index)}
          current={index === blocks.current}
          onFocus={() => blocks.setActive(index)}
          onEdit={() => blocks.edit(index)}
          onChange={() =>
            blocks.choose({ text, from: textBlock.from, to: textBlock.to, first: index, last: index })
          }
          onStep={(delta, buttonIndex) => blocks.moveFocus(index + delta, buttonIndex)}
        />
      ) : null}
    </>
  );
}

/**
 * A click on a block, or its Edit button, opens its Markdown; selecting words, or a block's Change button, offers to
 * rewrite them.
 */
export default function TextDocument(props: TextDocumentProps) {
  const { editable, suggestion, price, onRefine, onUndo, onRedo } = props;
  const blocks = useBlocks(props);
  const { textBlocks, passage } = blocks;
  const suggested = suggestion?.place ? passageAt(textBlocks, suggestion.place) : null;
  const marked = suggested ?? passage;
  const suggestionBlock = useRef<number | null>(null);
  // After the decision the focus moves to the block where the suggestion was.
  useEffect(() => {
    if (suggestion) suggestionBlock.current = suggested?.first ?? 0;
    else if (editable && suggestionBlock.current !== null) {
      blocks.returnFocus(suggestionBlock.current);
      suggestionBlock.current = null;
    }
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea');
    if (!editable || isTyping || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
    event.preventDefault();
    if (event.shiftKey) onRedo();
    else onUndo();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: detects selections by pointer, or by Shift and the arrow keys
    <div
      ref={blocks.page}
      className="doc"
      onPointerUp={blocks.select}
      onKeyUp={(event) => event.shiftKey && blocks.select()}
      onKeyDown={onKeyDown}
    >
      <TargetPassage box={blocks.page} />
      {suggestion && !suggested ? suggestion.view : null}
      {textBlocks.map((textBlock, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity but their position
          key={index}
          className="doc-block"
          data-at={index}
          data-marked={marked && index >= marked.first && index <= marked.last ? '' : undefined}
        >
          <Block index={index} textBlock={textBlock} blocks={blocks} props={props} />
          {editable && passage?.last === index ? (
            <RefineBar
              key={`${passage.from}-${passage.to}`}
              price={price}
              onRequest={(request) => {
                blocks.choose(null);
                onRefine(passage.text, passage, request);
              }}
              onClose={blocks.close}
            />
          ) : null}
          {suggested?.last === index ? suggestion?.view : null}
        </div>
      ))}
    </div>
  );
}
