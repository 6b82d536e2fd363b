import { ArrowRight, Ellipsis, RotateCw } from 'lucide-react';
import {
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import type { ThinkingView } from '#features/generations/contract.ts';
import { type LiveText, useLiveText } from '#features/generations/web/live-text.ts';
import { m } from '#messages';
import { chatModelOf } from '#shared/chat-models.ts';
import { useMarkdown } from '#ui/markdown/use-markdown.ts';
import type { WebSearch, WebSource } from '../../contract.ts';
import { sourceLine } from '../../source-line.ts';
import type { ChatControls } from '../state/chat-controls.ts';
import { isLive, type Message } from '../state/chat-state.ts';
import { keepFocus } from './keep-focus.ts';
import { CopyButton, MessageButton, MessageTime, VersionSwitcher } from './message-actions.tsx';
import { RateButtons } from './rate-buttons.tsx';
import { hasFailed, replyOptions } from './reply-options.ts';

function ReplyText({ live, text }: { live: LiveText | undefined; text: string }) {
  const shown = useLiveText(live ?? null) ?? text;
  const Markdown = useMarkdown();
  const renderStart = performance.now();
  useLayoutEffect(() => live?.reportRenderTime(performance.now() - renderStart));
  if (shown === '') return null;
  return (
    <Suspense fallback={<p className="md md-raw">{shown}</p>}>
      <Markdown text={shown} streaming={live !== undefined} />
    </Suspense>
  );
}

const noListener = () => () => undefined;

const useLiveThinking = (live: LiveText | undefined): ThinkingView | null =>
  useSyncExternalStore<ThinkingView | null>(
    live?.subscribe ?? noListener,
    () => live?.thinking ?? null,
    () => null,
  );

function TurnThinking({ turn }: { turn: Message }) {
  const thinking = useLiveThinking(turn.live);
  const text = useLiveText(turn.live ?? null) ?? turn.content;
  const ms = thinking?.ms ?? turn.thoughtMs;
  if (ms === null) return null;
  return (
    <Suspense>
      <ThinkingPanel
        generationId={turn.generationId}
        live={thinking}
        isThinking={isLive(turn) && text.length <= turn.takenOver}
        ms={ms}
      />
    </Suspense>
  );
}

function Thinking({ live, searching }: { live: LiveText | undefined; searching: boolean }) {
  const text = useLiveText(live ?? null);
  const thinking = useLiveThinking(live);
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 10_000);
    return () => clearTimeout(timer);
  }, []);
  if (text || thinking) return null;
  return (
    <p className="chat-thinking text-sm text-fg-muted">
      <span className="chat-dots me-2 inline-flex gap-1" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {isSlow ? m.chat_still_working() : searching ? m.chat_web_searching() : m.chat_thinking()}
    </p>
  );
}

/** Most replies end without a note. */
const hasNote = (turn: Message) =>
  hasFailed(turn) ||
  turn.cutOff ||
  turn.state === 'stopped' ||
  (turn.finishReason ?? 'stop') !== 'stop' ||
  (turn.state === 'done' && turn.content === '' && !turn.images) ||
  turn.answeredBy !== null ||
  turn.followed ||
  turn.leftOut > 0 ||
  turn.filesLeftOut.length > 0;

const pendingSearch: WebSearch = { state: 'searching', queries: [], sources: [] };

export interface ReplyProps {
  turn: Message;
  last: boolean;
  controls: ChatControls;
  /** Name of its model, if another reply is shown beside it. */
  modelName?: string;
  children?: ReactNode;
}

export function Reply({ turn, last, controls, modelName, children }: ReplyProps) {
  const live = isLive(turn);
  const [found, setFound] = useState<WebSearch | null>(null);
  const knownSearch = turn.web ?? (turn.searching ? pendingSearch : null);
  const web = knownSearch?.state === 'searching' ? (found ?? knownSearch) : knownSearch;
  const text = turn.images ? null : <ReplyText live={turn.live} text={turn.content} />;
  return (
    <article
      className="chat-reply"
      aria-label={modelName}
      data-live={live ? '' : undefined}
      data-last={last ? '' : undefined}
    >
      <h2
        className={modelName === undefined ? 'visually-hidden' : 'mb-2 text-sm font-semibold wrap-anywhere'}
      >
        {modelName ?? m.chat_assistant_said()}
      </h2>
      <TurnThinking turn={turn} />
      {web ? (
        <Suspense fallback={text}>
          <WebReply turn={turn} web={web} onFound={setFound}>
            {text}
          </WebReply>
        </Suspense>
      ) : (
        text
      )}
      {live && !turn.images ? <Thinking live={turn.live} searching={web?.state === 'searching'} /> : null}
      {hasNote(turn) ? (
        <Suspense>
          <ReplyEnding turn={turn} />
        </Suspense>
      ) : null}
      {turn.images ? (
        <Suspense>
          <DrawnReply turn={turn} images={turn.images} controls={controls} />
        </Suspense>
      ) : null}
      {live ? null : (
        <ReplyActions
          turn={turn}
          isSingle={modelName === undefined}
          sources={web?.sources ?? []}
          controls={controls}
        />
      )}
      {children}
    </article>
  );
}

const DrawnReply = lazy(() => import('./drawn-reply.tsx'));
const ThinkingPanel = lazy(() => import('./thinking-panel.tsx'));
const ReplyEnding = lazy(() => import('./reply-ending.tsx'));
const WebReply = lazy(() => import('./web-reply.tsx'));
const ReplyDetails = lazy(() => import('./reply-details.tsx'));

interface ReplyMenuProps {
  turn: Message;
  /** Its text with its sources. */
  textWithSources: string;
  controls: ChatControls;
}

function ReplyMenu(props: ReplyMenuProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [reading, setReading] = useState<ReactNode>(null);
  return (
    <>
      {reading}
      <button
        type="button"
        className={open ? 'turn-button turn-icon turn-menu-open' : 'turn-button turn-icon'}
        aria-label={m.chat_about_reply()}
        popoverTarget={id}
      >
        <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <div
        id={id}
        className="menu turn-menu"
        popover="auto"
        role="dialog"
        aria-label={m.chat_about_reply()}
        onBeforeToggle={(event) => {
          if (event.newState === 'open') setOpen(true);
        }}
        // Only now does the button have the focus again.
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {open ? (
          <Suspense fallback={<p className="menu-text muted">{m.chat_loading()}</p>}>
            <ReplyDetails {...props} onReading={setReading} />
          </Suspense>
        ) : null}
      </div>
    </>
  );
}

interface ReplyActionsProps {
  turn: Message;
  /** Its other versions are not on the page. */
  isSingle: boolean;
  sources: readonly WebSource[];
  controls: ChatControls;
}

/** Copied text needs the sources to which its numbers refer. */
const withSources = (text: string, sources: readonly WebSource[]) =>
  sources.length === 0 ? text : `${text.trimEnd()}\n\n${sources.map(sourceLine).join('\n')}\n`;

function ReplyActions({ turn, isSingle, sources, controls }: ReplyActionsProps) {
  const { regenerate, canContinue } = replyOptions(turn);
  const textWithSources = withSources(turn.content, sources);
  return (
    <div className="turn-actions">
      {turn.content === '' ? null : <CopyButton text={textWithSources} />}
      {regenerate ? (
        <MessageButton
          icon={RotateCw}
          name={regenerate.label}
          starts
          onClick={(event) => {
            keepFocus(event);
            if (regenerate.continues) controls.continueReply(turn);
            else controls.regenerate(turn, isSingle ? undefined : chatModelOf(turn.model));
          }}
        />
      ) : null}
      {canContinue && isSingle ? (
        <MessageButton
          icon={ArrowRight}
          name={m.common_continue()}
          starts
          onClick={(event) => {
            keepFocus(event);
            controls.continueReply(turn);
          }}
        />
      ) : null}
      {isSingle ? <VersionSwitcher turn={turn} controls={controls} /> : null}
      {turn.generationId === null && !turn.rating ? null : <RateButtons turn={turn} />}
      {turn.unsent ? null : <ReplyMenu turn={turn} textWithSources={textWithSources} controls={controls} />}
      <MessageTime iso={turn.createdAt} />
    </div>
  );
}
