import { Pencil, Wand } from 'lucide-react';
import { type KeyboardEvent, memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { SoughtPassage } from '#client/sought-passage.tsx';
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
  onRefine: (text: string, passage: Pick<Passage, 'from' | 'to'>, wish: RephraseRequest) => void;
  onUndo: () => void;
  onRedo: () => void;
}

const kinds: Record<string, (values: { number: number; text: string }) => string> = {
  heading: m.writer_block_heading,
  list: m.writer_block_list,
  blockquote: m.writer_block_quote,
  code: m.writer_block_code,
  table: m.writer_block_table,
};

const nameOf = ({ token }: TextBlock, at: number) => {
  const words = markdownToText(token.raw).replace(/\s+/g, ' ');
  return (kinds[token.type] ?? m.writer_block_paragraph)({ number: at + 1, text: shortened(words, 40) });
};

const Body = memo(function Body({ place }: { place: TextBlock }) {
  return <MemoBlock token={place.token} meaning="" open={false} level={place.level} />;
});

function useBlocks({ text, editable, onChange }: TextDocumentProps) {
  const page = useRef<HTMLDivElement>(null);
  const places = useMemo(() => textBlocksOf(text), [text]);
  const [editing, setEditing] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  const { passage, choose, select } = usePassageSelection(page, text, places);

  const tools = (at: number) =>
    page.current?.querySelectorAll<HTMLElement>(`[data-at="${at}"] .doc-tools button`);
  const focusTools = (at: number, which = 0) => requestAnimationFrame(() => tools(at)?.[which]?.focus());
  const edit = (at: number) => {
    choose(null);
    setActive(at);
    setEditing(at);
  };
  return {
    page,
    places,
    editing,
    passage,
    choose,
    edit,
    current: Math.min(active, places.length - 1),
    comeBack(at: number) {
      if (document.activeElement !== document.body) return;
      tools(Math.min(at, places.length - 1))?.[0]?.focus({ preventScroll: true });
    },
    setActive,
    select: () => editable && select(),
    /** Opens the editor on a click that selects nothing and is not on an interactive element. */
    press(at: number, target: EventTarget) {
      if (!editable || !getSelection()?.isCollapsed) return;
      if (target instanceof Element && !target.closest('a, button, summary, pre')) edit(at);
    },
    step(to: number, which: number) {
      if (to < 0 || to >= places.length) return;
      setActive(to);
      focusTools(to, which);
    },
    done(at: number, place: TextBlock, markdown: string, byKey: boolean) {
      setEditing(null);
      onChange(replaceRange(text, place, markdown));
      if (byKey) focusTools(at);
    },
    chooseIn(place: TextBlock, markdown: string, from: number, to: number) {
      const whole = replaceRange(text, place, markdown);
      setEditing(null);
      onChange(whole);
      const [before, part] = [markdown.slice(0, from), markdown.slice(from, to)];
      const start = place.from + before.length + part.length - part.trimStart().length;
      const chosen = passageAt(textBlocksOf(whole), { from: start, to: start + part.trim().length });
      choose(chosen && { ...chosen, text: whole }, whole);
    },
    close(back: boolean) {
      if (back && passage) focusTools(passage.last, 1);
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
  onStep: (by: 1 | -1, which: number) => void;
}

const steps: Record<string, 1 | -1> = { ArrowDown: 1, ArrowUp: -1 };

function BlockTools({ name, current, onFocus, onEdit, onChange, onStep }: BlockToolsProps) {
  const buttons = [
    { label: m.writer_block_edit({ block: name }), title: m.common_edit(), Icon: Pencil, run: onEdit },
    { label: m.writer_block_change({ block: name }), title: m.writer_change(), Icon: Wand, run: onChange },
  ];
  const onKeyDown = (event: KeyboardEvent, which: number) => {
    const by = steps[event.key];
    if (!by) return;
    event.preventDefault();
    onStep(by, which);
  };
  return (
    <div className="doc-tools">
      {buttons.map(({ label, title, Icon, run }, which) => (
        <IconButton
          key={label}
          tabIndex={current ? 0 : -1}
          label={label}
          title={title}
          onFocus={onFocus}
          onKeyDown={(event) => onKeyDown(event, which)}
          onClick={run}
          Icon={Icon}
        />
      ))}
    </div>
  );
}

type Blocks = ReturnType<typeof useBlocks>;

function Block({
  at,
  place,
  blocks,
  props,
}: {
  at: number;
  place: TextBlock;
  blocks: Blocks;
  props: TextDocumentProps;
}) {
  const { text, editable, onTyping } = props;
  if (blocks.editing === at)
    return (
      <BlockEditor
        markdown={text.slice(place.from, place.to)}
        name={m.writer_block_edit({ block: nameOf(place, at) })}
        onTyping={(markdown) => onTyping(replaceRange(text, place, markdown))}
        onDone={(markdown, byKey) => blocks.done(at, place, markdown, byKey)}
        onRefine={(markdown, from, to) => blocks.chooseIn(place, markdown, from, to)}
      />
    );
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: for pointers; the Edit button serves the keyboard */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div className="md doc-body" dir="auto" onClick={(event) => blocks.press(at, event.target)}>
        <Body place={place} />
      </div>
      {editable ? (
        <BlockTools
          name={nameOf(place, at)}
          current={at === blocks.current}
          onFocus={() => blocks.setActive(at)}
          onEdit={() => blocks.edit(at)}
          onChange={() => blocks.choose({ text, from: place.from, to: place.to, first: at, last: at })}
          onStep={(by, which) => blocks.step(at + by, which)}
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
  const { places, passage } = blocks;
  const suggested = suggestion?.place ? passageAt(places, suggestion.place) : null;
  const marked = suggested ?? passage;
  const stood = useRef<number | null>(null);
  // After the decision the focus moves to the block where the suggestion was.
  useEffect(() => {
    if (suggestion) stood.current = suggested?.first ?? 0;
    else if (editable && stood.current !== null) {
      blocks.comeBack(stood.current);
      stood.current = null;
    }
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const typing = event.target instanceof Element && event.target.closest('input, textarea');
    if (!editable || typing || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
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
      <SoughtPassage box={blocks.page} />
      {suggestion && !suggested ? suggestion.view : null}
      {places.map((place, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity but their position
          key={at}
          className="doc-block"
          data-at={at}
          data-marked={marked && at >= marked.first && at <= marked.last ? '' : undefined}
        >
          <Block at={at} place={place} blocks={blocks} props={props} />
          {editable && passage?.last === at ? (
            <RefineBar
              key={`${passage.from}-${passage.to}`}
              price={price}
              onWish={(wish) => {
                blocks.choose(null);
                onRefine(passage.text, passage, wish);
              }}
              onClose={blocks.close}
            />
          ) : null}
          {suggested?.last === at ? suggestion?.view : null}
        </div>
      ))}
    </div>
  );
}
