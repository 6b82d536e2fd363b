import { ArrowDown } from 'lucide-react';
import { useEffect } from 'react';
import { type ChatState, isLive } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';
import { TurnView } from '../turns/turn-view.tsx';
import { KeepPlace } from './keep-place.tsx';
import { useFollowEdge } from './use-follow-edge.ts';

interface TranscriptProps {
  state: ChatState;
  controls: ChatControls;
}

/** The conversation in its own scroll box, followed at its end. */
export function Transcript({ state: { open }, controls }: TranscriptProps) {
  const { scroller, content, atEdge, follow } = useFollowEdge(open.id);
  const last = open.turns.at(-1);
  const lastQuestion = open.turns.findLast((turn) => turn.role === 'user');
  const sent = last?.unsent ? last.key : null;
  useEffect(() => {
    if (sent !== null) follow();
  }, [sent, follow]);
  return (
    <div className="chat-pane">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section ref={scroller} className="chat-scroll" aria-label="Conversation" tabIndex={0} data-at-end="">
        <div ref={content} className="chat-turns" data-busy={last && isLive(last) ? '' : undefined}>
          {open.older === null ? null : (
            <button type="button" className="btn btn-ghost chat-older" onClick={controls.loadOlder}>
              Load earlier messages
            </button>
          )}
          <KeepPlace scroller={scroller} first={open.turns[0]?.key}>
            {open.turns.map((turn) => (
              <TurnView
                key={turn.key}
                turn={turn}
                last={turn === last || turn === lastQuestion}
                controls={controls}
              />
            ))}
          </KeepPlace>
        </div>
      </section>
      <button
        type="button"
        className="chat-jump"
        aria-label="Jump to latest"
        data-live={last && isLive(last) ? '' : undefined}
        inert={atEdge}
        onClick={follow}
      >
        <ArrowDown size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </div>
  );
}
