import { Check, Copy } from 'lucide-react';
import { type ReactNode, useDeferredValue, useLayoutEffect, useMemo, useRef } from 'react';
import { TargetPassage } from '#client/target-passage.tsx';
import { useClipboard } from '#client/use-clipboard.ts';
import type { LiveText } from '#features/generations/web/live-text.ts';
import { m } from '#messages';
import { type ScreenplayLength, screenplayLength } from '#shared/fountain/paginate.ts';
import { parsePlaced } from '#shared/fountain/parse-fountain.ts';
import type { PlacedBlock } from '#shared/fountain/screenplay.ts';
import { Button } from '#ui/button.tsx';
import { ScreenplayView } from '#ui/screenplay-view.tsx';
import { SceneList } from './scene-list.tsx';
import './screenplay.css';

function Facts({ placed, length, live }: { placed: PlacedBlock[]; length: ScreenplayLength; live: boolean }) {
  const { pages, minutes } = length;
  const scenes = placed.filter(({ block }) => block.type === 'scene').length;
  return (
    <p className="sp-facts flex flex-wrap gap-x-4 text-sm text-fg-muted">
      <span>{m.script_scene_count({ count: scenes })}</span>
      <span>{m.script_page_count({ count: pages })}</span>
      <span>{m.script_minute_count({ count: minutes })}</span>
      {live ? (
        <span className="inline-flex items-center gap-2 text-fg">
          <span className="spinner size-3.5" aria-hidden="true" /> {m.script_writing()}
        </span>
      ) : null}
    </p>
  );
}

export function CopyButton({ text }: { text: string }) {
  const { copied, copy } = useClipboard();
  const Icon = copied ? Check : Copy;
  return (
    <Button variant="ghost" onClick={() => copy(text)}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      {copied ? m.copied() : m.common_copy()}
    </Button>
  );
}

interface ScriptDocumentProps {
  text: string;
  live: LiveText | null;
  plain: boolean;
  lang?: string;
  onPlain?: (plain: boolean) => void;
  editor?: ReactNode;
  tools?: (scene: number) => ReactNode;
  below?: (scene: number, placed: PlacedBlock[]) => ReactNode;
  folded?: (scene: number) => boolean;
}

function Toggle({ plain, onPlain }: { plain: boolean; onPlain: (plain: boolean) => void }) {
  return (
    <fieldset className="sp-toggle">
      <legend className="visually-hidden">{m.script_view()}</legend>
      {[false, true].map((value) => (
        <label key={String(value)}>
          <input type="radio" name="view" checked={plain === value} onChange={() => onPlain(value)} />
          {value ? m.script_view_plain() : m.script_view_screenplay()}
        </label>
      ))}
    </fieldset>
  );
}

export function ScriptDocument(props: ScriptDocumentProps) {
  const { text, live, plain, lang, onPlain, editor, tools, below, folded } = props;
  const sheet = useRef<HTMLDivElement>(null);
  const renderStart = useRef(0);
  renderStart.current = typeof performance === 'undefined' ? 0 : performance.now();
  // Defer the figures, so that typing does not wait for them.
  const deferredText = useDeferredValue(text);
  const shownText = plain ? deferredText : text;
  const { placed } = useMemo(() => parsePlaced(shownText), [shownText]);
  const length = useMemo(() => screenplayLength({ blocks: placed.map(({ block }) => block) }), [placed]);
  useLayoutEffect(() => live?.reportRenderTime(performance.now() - renderStart.current));
  return (
    <div className="@container/sheet grid min-w-0 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <Facts placed={placed} length={length} live={live !== null} />
        {onPlain ? <Toggle plain={plain} onPlain={onPlain} /> : null}
      </div>
      <div
        className="sp-columns grid min-w-0 gap-4 @min-[46rem]/sheet:has-[nav]:grid-cols-[10rem_minmax(0,1fr)] @min-[46rem]/sheet:has-[nav]:gap-6"
        lang={lang}
      >
        {plain ? null : <SceneList placed={placed} name="script" />}
        {plain ? (
          (editor ?? (
            <textarea
              className="textarea sp-source"
              dir="auto"
              readOnly
              rows={24}
              value={text}
              aria-label={m.script_source()}
            />
          ))
        ) : (
          <div ref={sheet} className="sp">
            <TargetPassage box={sheet} />
            <ScreenplayView
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
