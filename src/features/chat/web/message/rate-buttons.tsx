import { type LucideIcon, ThumbsDown, ThumbsUp } from 'lucide-react';
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { json, request } from '#client/api-request.ts';
import { m } from '#messages';
import type { ReplyRating } from '../../contract.ts';
import type { Message } from '../state/chat-state.ts';
import { reportFailure } from '../state/offer-undo.ts';

const RatingReasons = lazy(() => import('./rating-reasons.tsx'));

interface RateButtonProps {
  icon: LucideIcon;
  name: string;
  pressed: boolean;
  open?: boolean;
  onClick: () => void;
}

function RateButton({ icon: Icon, name, pressed, open, onClick }: RateButtonProps) {
  return (
    <button
      type="button"
      className={open ? 'turn-button turn-icon turn-menu-open' : 'turn-button turn-icon'}
      aria-label={name}
      title={name}
      aria-pressed={pressed}
      onClick={onClick}
    >
      <Icon size={16} strokeWidth={1.75} fill={pressed ? 'currentColor' : 'none'} aria-hidden="true" />
    </button>
  );
}

export function RateButtons({ turn }: { turn: Message }) {
  const [rating, setRating] = useState(turn.rating);
  const [open, setOpen] = useState(false);
  const reasons = useRef<HTMLDivElement>(null);
  const id = useId();
  const stored = useRef(turn.rating);
  const last = useRef(Promise.resolve());
  useEffect(() => {
    stored.current = turn.rating;
    setRating(turn.rating);
  }, [turn.rating]);
  const store = async (next: ReplyRating | null) => {
    try {
      await request('/api/chats/rating', json('PUT', { messageId: turn.id, rating: next }));
      stored.current = next;
    } catch (error) {
      setRating(stored.current);
      reportFailure(error);
    }
  };
  // In sequence, so that a reason is not stored before its rating.
  const rate = (next: ReplyRating | null) => {
    setRating(next);
    last.current = last.current.then(() => store(next));
  };
  return (
    <>
      <RateButton
        icon={ThumbsUp}
        name={m.chat_rate_good()}
        pressed={rating?.good === true}
        onClick={() => rate(rating?.good ? null : { good: true, reason: null })}
      />
      <RateButton
        icon={ThumbsDown}
        name={m.chat_rate_bad()}
        pressed={rating?.good === false}
        open={open}
        onClick={() => {
          if (rating?.good === false) return rate(null);
          rate({ good: false, reason: null });
          reasons.current?.showPopover();
        }}
      />
      <div
        ref={reasons}
        id={id}
        className="menu turn-menu"
        popover="auto"
        role="dialog"
        aria-label={m.chat_rating_question()}
        onBeforeToggle={(event) => setOpen(event.newState === 'open')}
      >
        {open ? (
          <Suspense>
            <RatingReasons
              onChoose={(reason) => {
                reasons.current?.hidePopover();
                rate({ good: false, reason });
              }}
            />
          </Suspense>
        ) : null}
      </div>
    </>
  );
}
