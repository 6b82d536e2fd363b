import { ArrowDown } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { type ChatState, liveTurn } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';
import { KeepPlace } from './keep-place.tsx';
import { Rows } from './row.tsx';
import { type FollowEdge, useFollowEdge } from './use-follow-edge.ts';
import { useMore } from './use-more.ts';
import { useFound, useReadingPlace } from './use-reading-place.ts';

interface TranscriptProps {
  state: ChatState;
  controls: ChatControls;
}

/** The conversation in its own scroll box, opened at its last question and followed at its end. */
export function Transcript(props: TranscriptProps) {
  return <OpenTranscript key={props.state.open.id} {...props} />;
}

function OpenTranscript({ state, controls }: TranscriptProps) {
  const { open } = state;
  const busy = liveTurn(state) ? '' : undefined;
  const edge = useFollowEdge(open.turns.at(-1)?.key);
  const { scroller, content } = edge;
  const older = useMore(scroller, open.older, controls.loadOlder);
  const newer = useMore(scroller, open.newer, controls.loadNewer);
  const jump = useJump(edge, open.newer, controls);
  const returned = useReadingPlace(edge, open, controls);
  useFound(edge, state.at, returned);
  usePlacing(edge, state);
  return (
    <div className="chat-pane chat-pane-read">
      <section
        ref={scroller}
        className="chat-scroll"
        aria-label="Conversation"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        data-landing=""
        data-newer={open.newer === null ? undefined : ''}
        suppressHydrationWarning
      >
        {open.older === null && open.newer === null ? null : (
          <p className="chat-partial">
            This is part of the chat. To print all of it, use Print in the chat’s menu.
          </p>
        )}
        {open.older === null ? null : (
          <button
            ref={older.button}
            type="button"
            className="btn btn-ghost chat-more"
            aria-busy={older.busy}
            onClick={older.more}
          >
            Load earlier messages
          </button>
        )}
        <div ref={content} className="chat-turns" data-busy={busy} suppressHydrationWarning>
          <KeepPlace scroller={scroller} turns={open.turns}>
            <Rows turns={open.turns} target={state.at?.id ?? null} controls={controls} />
          </KeepPlace>
        </div>
        {open.newer === null ? null : (
          <button
            ref={newer.button}
            type="button"
            className="btn btn-ghost chat-more"
            aria-busy={newer.busy}
            onClick={newer.more}
          >
            Load later messages
          </button>
        )}
      </section>
      <button
        type="button"
        className="chat-jump"
        aria-label="Jump to latest"
        data-live={busy}
        inert={edge.seesEnd}
        onClick={jump}
      >
        <ArrowDown size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </div>
  );
}

/** What is sent gets its place near the top; a reply that goes on is followed where it ends. */
function usePlacing({ place, follow }: FollowEdge, { open }: ChatState) {
  const last = open.turns.at(-1);
  const sent = last?.unsent ? last.key : null;
  const goesOn = (last?.takenOver ?? 0) > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each thing that is sent is placed once
  useLayoutEffect(() => {
    if (sent === null) return;
    if (goesOn) follow();
    else place();
  }, [sent]);
}

/** Goes to the end of the chat, which may not be loaded. */
function useJump({ follow, scroller }: FollowEdge, newer: string | null, controls: ChatControls) {
  const wanted = useRef(false);
  useEffect(() => {
    if (newer !== null || !wanted.current) return;
    wanted.current = false;
    follow();
  }, [newer, follow]);
  return () => {
    wanted.current = newer !== null;
    if (newer === null) follow();
    void controls.toEnd();
    // The button rests at the end and would lose the focus.
    scroller.current?.focus({ preventScroll: true });
  };
}
