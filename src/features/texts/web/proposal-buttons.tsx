import { m } from '#messages';
import { Button } from '#ui/button.tsx';

interface ProposalButtonsProps {
  running: boolean;
  busy: boolean;
  /** The passage that it would replace no longer exists. */
  blocked: boolean;
  onStop: () => void;
  onDecide: (decision: 'accepted' | 'discarded') => void;
}

export function ProposalButtons({ running, busy, blocked, onStop, onDecide }: ProposalButtonsProps) {
  return (
    <div className="row">
      {running ? (
        <Button disabled={busy} onClick={onStop}>
          {m.common_stop()}
        </Button>
      ) : (
        <>
          <Button variant="primary" disabled={busy || blocked} onClick={() => onDecide('accepted')}>
            {m.common_accept()}
          </Button>
          <Button disabled={busy} onClick={() => onDecide('discarded')}>
            {m.common_discard()}
          </Button>
        </>
      )}
    </div>
  );
}
