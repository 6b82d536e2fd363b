import { useEffect, useRef } from 'react';
import { m } from '#messages';
import { MenuItem } from '#ui/menu.tsx';
import { type RatingReason, ratingReasons } from '../../contract.ts';

const reasonTexts: Record<RatingReason, () => string> = {
  wrong: m.chat_rating_wrong,
  off_topic: m.chat_rating_off_topic,
  length: m.chat_rating_length,
  style: m.chat_rating_style,
  refused: m.chat_rating_refused,
  other: m.chat_rating_other,
};

export default function RatingReasons({ onChoose }: { onChoose: (reason: RatingReason) => void }) {
  // This loads after the menu has opened, so it takes the focus for the keyboard.
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} className="focus:outline-none">
      <p className="px-2.5 pt-2 text-sm font-semibold">{m.chat_rating_question()}</p>
      <p className="px-2.5 pb-2 text-xs text-fg-muted">{m.chat_rating_counted()}</p>
      {ratingReasons.map((reason) => (
        <MenuItem key={reason} onClick={() => onChoose(reason)}>
          {reasonTexts[reason]()}
        </MenuItem>
      ))}
    </div>
  );
}
