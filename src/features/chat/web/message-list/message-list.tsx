import { ArrowDown } from 'lucide-react';
import { lazy, memo, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { useLoadMore } from '#client/use-load-more.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { loadMarkdown } from '#ui/markdown/use-markdown.ts';
import { Question, type QuestionProps } from '../message/question.tsx';
import { Reply } from '../message/reply.tsx';
import type { ChatControls, ChatProps } from '../state/chat-controls.ts';
import { type ChatState, liveMessage, type Message, openPair } from '../state/chat-state.ts';
import { QuoteButton } from './quote-button.tsx';
import { ScrollAnchor } from './scroll-position.tsx';
import { useFoundMessage, useScrollRestoration } from './use-scroll-restoration.ts';
import { type StickToBottom, useStickToBottom } from './use-stick-to-bottom.ts';

// Server-rendered replies must be interactive as soon as the page is.
if (typeof document !== 'undefined' && document.querySelector('.md')) await loadMarkdown();

const ReplyPair = lazy(() => import('../message/reply-pair.tsx'));

const alwaysLaidOut = 4;

/** Rows become skippable in groups, because a row that becomes skippable in view is laid out a second time. */
const groupSize = 16;

const firstLaidOut = (rows: number) => {
  const far = Math.max(0, rows - alwaysLaidOut);
  return far - (far % groupSize);
};

/** Powers of two of lines. Classes, because the page's policy forbids styles in the markup. */
const heightClasses =
  '[--lines:1] [--lines:2] [--lines:4] [--lines:8] [--lines:16] [--lines:32] [--lines:64] [--lines:128]'.split(
    ' ',
  );

function heightClass({ role, content }: Message): string | undefined {
  let lines = content.length / 90;
  for (let at = content.indexOf('\n'); at >= 0; at = content.indexOf('\n', at + 1)) lines += 0.6;
  return heightClasses[Math.min(role === 'user' ? 4 : 7, Math.max(0, Math.round(Math.log2(lines))))];
}

const MessageView = memo(function MessageView(props: QuestionProps): ReactNode {
  return props.turn.role === 'assistant' ? <Reply {...props} /> : <Question {...props} />;
});

interface RowProps {
  turn: Message;
  /** The other of two replies that were requested together. */
  second: Message | undefined;
  last: boolean;
  /** Id of the message before it, which identifies other versions of this one. */
  after: string | undefined;
  skippable: boolean;
  target: boolean;
  secondIsTarget: boolean;
  controls: ChatControls;
}

const Row = memo(function Row(props: RowProps) {
  const { turn, second, last, after, skippable, target, secondIsTarget, controls } = props;
  const message = <MessageView turn={turn} last={last} found={target} controls={controls} />;
  return (
    <div
      className={skippable ? `chat-turn chat-turn-far ${heightClass(turn)}` : 'chat-turn'}
      data-id={turn.id}
      data-after={after}
      data-role={turn.role}
      data-target={target || secondIsTarget ? '' : undefined}
    >
      {second ? (
        <div data-id={second.id}>
          <Suspense fallback={message}>
            <ReplyPair
              first={turn}
              second={second}
              secondIsTarget={secondIsTarget}
              controls={controls}
              Reply={Reply}
            />
          </Suspense>
        </div>
      ) : (
        message
      )}
    </div>
  );
});

type RowsProps = Pick<RowProps, 'controls'> & { turns: Message[]; target: string | null };

const MessageRows = memo(function Rows({ turns, target, controls }: RowsProps) {
  const lastQuestion = turns.findLastIndex(({ role }) => role === 'user');
  const second = openPair(turns)?.[1];
  const rows = second ? turns.slice(0, -1) : turns;
  const firstNear = firstLaidOut(rows.length);
  return rows.map((turn, at) => (
    <Row
      key={turn.key}
      turn={turn}
      second={at === rows.length - 1 ? second : undefined}
      last={at === rows.length - 1 || at === lastQuestion}
      after={rows[at - 1]?.id}
      skippable={at < firstNear}
      target={turn.id === target}
      secondIsTarget={at === rows.length - 1 && second?.id === target}
      controls={controls}
    />
  ));
});

const ChatNotices = lazy(() => import('./chat-notices.tsx'));

export function MessageList(props: ChatProps) {
  return (
    <>
      <OpenMessageList key={props.state.open.id} {...props} />
      {props.state.open.archivedAt === null && !props.state.open.assistantGone ? null : (
        <Suspense>
          <ChatNotices {...props} />
        </Suspense>
      )}
    </>
  );
}

function OpenMessageList({ state, controls }: ChatProps) {
  const { open } = state;
  const busy = liveMessage(state) ? '' : undefined;
  const stick = useStickToBottom(open.messages.at(-1)?.key);
  const { scroller, content } = stick;
  const older = useLoadMore('.chat-scroll', 1200, open.older, controls.loadOlder);
  const newer = useLoadMore('.chat-scroll', 1200, open.newer, controls.loadNewer);
  const jump = useJumpToEnd(stick, open.newer, controls);
  const returned = useScrollRestoration(stick, open, controls);
  useFoundMessage(stick, state.at, returned);
  useScrollOnSend(stick, state);
  const pane = useRef<HTMLDivElement>(null);
  return (
    <div ref={pane} className="chat-pane mb-(--chat-strip) print:m-0">
      <section
        ref={scroller}
        className="chat-scroll"
        aria-label={m.chat_conversation()}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
        tabIndex={0}
        data-landing=""
        data-newer={open.newer === null ? undefined : ''}
        suppressHydrationWarning
      >
        {open.older === null && open.newer === null ? null : (
          <p className="hidden print:block">{m.chat_print_part()}</p>
        )}
        {open.older === null ? null : <MoreButton {...older} label={m.chat_load_earlier()} />}
        <div ref={content} className="chat-turns" data-busy={busy} suppressHydrationWarning>
          <ScrollAnchor scroller={scroller} turns={open.messages}>
            <MessageRows turns={open.messages} target={state.at?.id ?? null} controls={controls} />
          </ScrollAnchor>
        </div>
        {open.newer === null ? null : <MoreButton {...newer} label={m.chat_load_later()} />}
      </section>
      {/* Hidden until the composer is in the page, because it would move while a page arrives in parts. */}
      <div
        className="pointer-events-none absolute inset-x-4 bottom-0 h-6 bg-linear-to-t from-surface to-transparent print:hidden in-[.chat-pane:nth-last-child(-n+3)]:invisible"
        aria-hidden="true"
      />
      <QuoteButton pane={pane} onQuote={controls.quote} />
      <button
        type="button"
        className="chat-jump"
        title={m.chat_jump()}
        aria-label={m.chat_jump()}
        data-live={busy}
        inert={stick.seesEnd}
        onClick={jump}
      >
        <ArrowDown size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </div>
  );
}

function MoreButton({ button, busy, more, label }: ReturnType<typeof useLoadMore> & { label: string }) {
  return (
    <Button
      ref={button}
      variant="ghost"
      className="chat-more mx-auto my-3 flex"
      aria-busy={busy}
      onClick={more}
    >
      {label}
    </Button>
  );
}

function useScrollOnSend({ place, follow }: StickToBottom, { open }: ChatState) {
  const last = open.messages.at(-1);
  const sent = last?.sentHere ? last.key : null;
  const isContinuation = (last?.takenOver ?? 0) > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each sent message is placed once
  useLayoutEffect(() => {
    if (sent === null) return;
    if (isContinuation) follow();
    else place();
  }, [sent]);
}

function useJumpToEnd({ follow, scroller }: StickToBottom, newer: string | null, controls: ChatControls) {
  const jumpPending = useRef(false);
  useEffect(() => {
    if (newer !== null || !jumpPending.current) return;
    jumpPending.current = false;
    follow();
  }, [newer, follow]);
  return () => {
    jumpPending.current = newer !== null;
    if (newer === null) follow();
    void controls.loadEnd();
    // The button becomes inert at the end and would lose the focus.
    scroller.current?.focus({ preventScroll: true });
  };
}
