import { memo } from 'react';
import type { Turn } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';
import { TurnView } from '../turns/turn-view.tsx';

/** Rows at the end that are always laid out: what a chat is opened at stands there. */
const laidOut = 4;

/** About how many lines a text takes, as a power of two up to 128: the height of a row that was never laid out. */
function linesOf(text: string): number {
  let lines = text.length / 90;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 0.6;
  return 2 ** Math.min(7, Math.max(0, Math.round(Math.log2(lines))));
}

/** A long question is folded. */
const heightOf = ({ role, content }: Turn) => Math.min(linesOf(content), role === 'user' ? 16 : 128);

interface RowProps {
  turn: Turn;
  /** The last question or reply. */
  last: boolean;
  /** Id of the turn before it, by which another version of it is known. */
  after: string | undefined;
  /** Out of view it need not be laid out. */
  skippable: boolean;
  /** It was asked for by the address. */
  target: boolean;
  controls: ChatControls;
}

/** The place of one turn in the transcript; only the one that changes is shown anew. */
const Row = memo(function Row({ turn, last, after, skippable, target, controls }: RowProps) {
  return (
    <div
      className="chat-turn"
      data-id={turn.id}
      data-after={after}
      data-role={turn.role}
      data-lines={skippable ? heightOf(turn) : undefined}
      data-target={target ? '' : undefined}
    >
      <TurnView turn={turn} last={last} found={target} controls={controls} />
    </div>
  );
});

interface RowsProps {
  turns: Turn[];
  /** Id of the message that was asked for. */
  target: string | null;
  controls: ChatControls;
}

/** The turns of a conversation. */
export const Rows = memo(function Rows({ turns, target, controls }: RowsProps) {
  const lastQuestion = turns.findLastIndex(({ role }) => role === 'user');
  return turns.map((turn, at) => (
    <Row
      key={turn.key}
      turn={turn}
      last={at === turns.length - 1 || at === lastQuestion}
      after={turns[at - 1]?.id}
      skippable={at < turns.length - laidOut}
      target={turn.id === target}
      controls={controls}
    />
  ));
});
