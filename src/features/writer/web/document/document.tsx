import { Pencil, Wand } from 'lucide-react';
import { type KeyboardEvent, memo, type ReactNode, useMemo, useRef, useState } from 'react';
import { MemoBlock } from '../../../../ui/markdown/blocks.tsx';
import { plainText } from '../../../../ui/markdown/plain-text.ts';
import { RefineBar, type Wish } from '../refine/refine-bar.tsx';
import { BlockEditor } from './block-editor.tsx';
import { type Passage, type Place, passageAt, passageOf, placesOf, replaced } from './places.ts';

interface DocumentProps {
  text: string;
  /** False while something is written, for an older version, and while a suggestion waits. */
  editable: boolean;
  /** Where a suggestion belongs, and the suggestion; it stands below its passage, else above the text. */
  suggestion: { place: Pick<Passage, 'from' | 'to'> | null; view: ReactNode } | null;
  /** Cost of another wording, in words; null where it costs nothing. */
  price: string | null;
  onChange: (text: string) => void;
  onTyping: (text: string) => void;
  onRefine: (text: string, passage: Pick<Passage, 'from' | 'to'>, wish: Wish) => void;
}

const kinds: Record<string, string> = {
  heading: 'heading',
  list: 'list',
  blockquote: 'quotation',
  code: 'code',
  table: 'table',
};

const nameOf = ({ token }: Place, at: number) => {
  const words = plainText(token.raw).replace(/\s+/g, ' ');
  return `${kinds[token.type] ?? 'paragraph'} ${at + 1}: ${words.length > 40 ? `${words.slice(0, 40)}…` : words}`;
};

const Body = memo(function Body({ place }: { place: Place }) {
  return <MemoBlock token={place.token} meaning="" open={false} level={place.level} />;
});

/** Paints the words that were chosen, while the focus is elsewhere; browsers without it mark the blocks alone. */
function paint(range: Range | null): void {
  if (typeof CSS === 'undefined' || !('highlights' in CSS)) return;
  if (range) CSS.highlights.set('passage', new Highlight(range));
  else CSS.highlights.delete('passage');
}

const blockAt = (node: Node | null) =>
  (node instanceof Element ? node : node?.parentElement)?.closest<HTMLElement>('[data-at]') ?? null;

/**
 * A text as it reads, block by block. A press on a block, or its Edit button, opens it as Markdown in its place; words
 * that are selected, or a block's Change button, get other wordings.
 */
export default function Document({
  text,
  editable,
  suggestion,
  price,
  onChange,
  onTyping,
  onRefine,
}: DocumentProps) {
  const places = useMemo(() => placesOf(text), [text]);
  const [editing, setEditing] = useState<number | null>(null);
  const [passage, setPassage] = useState<Passage | null>(null);
  const [active, setActive] = useState(0);
  const page = useRef<HTMLDivElement>(null);
  const current = Math.min(active, places.length - 1);

  const choose = (next: Passage | null, range: Range | null = null) => {
    paint(range);
    setPassage(next);
  };
  const focusTools = (at: number, which = 0) =>
    requestAnimationFrame(() =>
      page.current?.querySelectorAll<HTMLElement>(`[data-at="${at}"] .doc-tools button`)[which]?.focus(),
    );
  const close = (back: boolean) => {
    if (back && passage) focusTools(passage.last, 1);
    choose(null);
  };
  const edit = (at: number) => {
    choose(null);
    setActive(at);
    setEditing(at);
  };
  const select = () => {
    const selection = getSelection();
    if (!editable || !selection || selection.isCollapsed || selection.rangeCount === 0) return;
    const range = selection.getRangeAt(0);
    const [first, last] = [blockAt(range.startContainer), blockAt(range.endContainer)];
    if (!first || !last || !page.current?.contains(first) || !page.current.contains(last)) return;
    const chosen = passageOf(
      text,
      places,
      Number(first.dataset.at),
      Number(last.dataset.at),
      selection.toString(),
    );
    if (chosen) choose(chosen, range.cloneRange());
  };
  const press = (at: number, target: EventTarget) => {
    if (!editable || !getSelection()?.isCollapsed) return;
    if (target instanceof Element && target.closest('a, button, summary, pre')) return;
    edit(at);
  };
  const onToolKey = (event: KeyboardEvent, at: number, which: number) => {
    const to = event.key === 'ArrowDown' ? at + 1 : event.key === 'ArrowUp' ? at - 1 : -1;
    if (to < 0 || to >= places.length) return;
    event.preventDefault();
    setActive(to);
    focusTools(to, which);
  };
  const done = (at: number, place: Place, markdown: string, byKey: boolean) => {
    setEditing(null);
    onChange(replaced(text, place, markdown));
    if (byKey) focusTools(at);
  };
  const refineFrom = (place: Place, markdown: string, from: number, to: number) => {
    const whole = replaced(text, place, markdown);
    setEditing(null);
    onChange(whole);
    choose(passageAt(placesOf(whole), { from: place.from + from, to: place.from + to }));
  };
  const suggested = suggestion?.place ? passageAt(places, suggestion.place) : null;
  const marked = suggested ?? passage;

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is selected with a pointer or with Shift and the arrows
    <div ref={page} className="doc" onPointerUp={select} onKeyUp={(event) => event.shiftKey && select()}>
      {suggestion && !suggested ? suggestion.view : null}
      {places.map((place, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity but their place
          key={at}
          className="doc-block"
          data-at={at}
          data-marked={marked && at >= marked.first && at <= marked.last ? '' : undefined}
        >
          {editing === at ? (
            <BlockEditor
              markdown={text.slice(place.from, place.to)}
              name={`Edit ${nameOf(place, at)}`}
              onTyping={(markdown) => onTyping(replaced(text, place, markdown))}
              onDone={(markdown, byKey) => done(at, place, markdown, byKey)}
              onRefine={(markdown, from, to) => refineFrom(place, markdown, from, to)}
            />
          ) : (
            <>
              {/* biome-ignore lint/a11y/noStaticElementInteractions: a way for the pointer; the Edit button is the other */}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
              <div className="md doc-body" onClick={(event) => press(at, event.target)}>
                <Body place={place} />
              </div>
              {editable ? (
                <div className="doc-tools">
                  {[
                    { name: 'Edit', Icon: Pencil, run: () => edit(at) },
                    {
                      name: 'Change',
                      Icon: Wand,
                      run: () => choose({ from: place.from, to: place.to, first: at, last: at }),
                    },
                  ].map(({ name, Icon, run }, which) => (
                    <button
                      key={name}
                      type="button"
                      className="btn btn-ghost btn-icon"
                      tabIndex={at === current ? 0 : -1}
                      aria-label={`${name} ${nameOf(place, at)}`}
                      title={name}
                      onFocus={() => setActive(at)}
                      onKeyDown={(event) => onToolKey(event, at, which)}
                      onClick={run}
                    >
                      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
                    </button>
                  ))}
                </div>
              ) : null}
            </>
          )}
          {editable && passage?.last === at ? (
            <RefineBar
              key={`${passage.from}-${passage.to}`}
              price={price}
              onWish={(wish) => {
                choose(null);
                onRefine(text, passage, wish);
              }}
              onClose={close}
            />
          ) : null}
          {suggested?.last === at ? suggestion?.view : null}
        </div>
      ))}
    </div>
  );
}
