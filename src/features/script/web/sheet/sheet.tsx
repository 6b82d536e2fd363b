import { Check, Copy } from 'lucide-react';
import { type ReactNode, useDeferredValue, useLayoutEffect, useMemo, useRef } from 'react';
import { useCopied } from '../../../../client/use-copied.ts';
import type { Placed } from '../../../../shared/fountain/model.ts';
import { type Length, lengthOf } from '../../../../shared/fountain/paginate.ts';
import { parsePlaced } from '../../../../shared/fountain/parse.ts';
import type { LiveText } from '../../../generations/web/live-text.ts';
import { SceneList } from './scene-list.tsx';
import { Screenplay } from './screenplay.tsx';

const amount = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** How long it is, in scenes, pages and minutes. */
function Facts({ placed, length, live }: { placed: Placed[]; length: Length; live: boolean }) {
  const { pages, minutes } = length;
  const scenes = placed.filter(({ block }) => block.type === 'scene').length;
  return (
    <p className="sp-facts">
      <span>{amount(scenes, 'scene')}</span>
      <span>{amount(pages, 'page')}</span>
      <span>about {amount(minutes, 'minute')}</span>
      {live ? (
        <span className="sp-live">
          <span className="spinner" aria-hidden="true" /> Writing
        </span>
      ) : null}
    </p>
  );
}

function CopyButton({ text }: { text: string }) {
  const { copied, copy } = useCopied();
  const Icon = copied ? Check : Copy;
  return (
    <button type="button" className="btn btn-ghost" onClick={() => copy(text)}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      {copied ? 'Copied' : 'Copy'}
    </button>
  );
}

interface SheetProps {
  /** The Fountain text so far. */
  text: string;
  /** It is still being written. */
  live: LiveText | null;
  plain: boolean;
  onPlain?: (plain: boolean) => void;
  /** The text as it can be edited, for `plain`. */
  editor?: ReactNode;
  /** More in the row of what can be done. */
  actions?: ReactNode;
  /** What has been opened from that row. */
  panel?: ReactNode;
  tools?: (scene: number) => ReactNode;
  below?: (scene: number, placed: Placed[]) => ReactNode;
  /** Of a scene only the heading is shown, and what stands below it. */
  folded?: (scene: number) => boolean;
}

function Toggle({ plain, onPlain }: { plain: boolean; onPlain: (plain: boolean) => void }) {
  return (
    <fieldset className="sp-toggle">
      <legend className="visually-hidden">View</legend>
      {[false, true].map((value) => (
        <label key={String(value)}>
          <input type="radio" name="view" checked={plain === value} onChange={() => onPlain(value)} />
          {value ? 'Plain text' : 'Screenplay'}
        </label>
      ))}
    </fieldset>
  );
}

/** A script: what can be done with it, how long it is, its scenes, and the sheet itself. */
export function Sheet(props: SheetProps) {
  const { text, live, plain, onPlain, editor, actions, panel, tools, below, folded } = props;
  const began = useRef(0);
  began.current = typeof performance === 'undefined' ? 0 : performance.now();
  // Typing does not wait for the figures.
  const typed = useDeferredValue(text);
  const read = plain ? typed : text;
  const { placed } = useMemo(() => parsePlaced(read), [read]);
  const length = useMemo(() => lengthOf({ blocks: placed.map(({ block }) => block) }), [placed]);
  useLayoutEffect(() => live?.took(performance.now() - began.current));
  return (
    <div className="sp-sheet">
      <div className="sp-bar">
        <Facts placed={placed} length={length} live={live !== null} />
        <div className="row">
          {onPlain ? <Toggle plain={plain} onPlain={onPlain} /> : null}
          <CopyButton text={text} />
          {actions}
        </div>
      </div>
      {panel}
      <div className="sp-columns">
        {plain ? null : <SceneList placed={placed} name="script" />}
        {plain ? (
          (editor ?? (
            <textarea
              className="textarea sp-source"
              dir="auto"
              readOnly
              rows={24}
              value={text}
              aria-label="Fountain text"
            />
          ))
        ) : (
          <div className="sp">
            <Screenplay
              placed={placed}
              name="script"
              tools={tools}
              folded={folded}
              below={(scene) => below?.(scene, placed)}
            />
          </div>
        )}
      </div>
    </div>
  );
}
