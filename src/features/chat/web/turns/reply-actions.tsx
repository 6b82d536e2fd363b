import { ArrowRight, RotateCw } from 'lucide-react';
import type { Turn } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';
import { waysOn } from './marks.ts';
import { ReplyMenu } from './reply-menu.tsx';
import { CopyButton, keepFocus, TurnButton } from './turn-button.tsx';
import { TurnTime } from './turn-time.tsx';
import { Versions } from './versions.tsx';

/** What can be done with a reply that is over. */
export function ReplyActions({ turn, controls }: { turn: Turn; controls: ChatControls }) {
  const { again, goOn } = waysOn(turn);
  return (
    <div className="turn-actions">
      {turn.content === '' ? null : <CopyButton text={turn.content} />}
      {again ? (
        <TurnButton
          icon={RotateCw}
          name={again.label}
          starts
          onClick={(event) => {
            keepFocus(event);
            if (again.goesOn) controls.goOn(turn);
            else controls.again(turn);
          }}
        />
      ) : null}
      {goOn ? (
        <TurnButton
          icon={ArrowRight}
          name="Continue"
          starts
          onClick={(event) => {
            keepFocus(event);
            controls.goOn(turn);
          }}
        />
      ) : null}
      <Versions turn={turn} controls={controls} />
      {turn.unsent ? null : <ReplyMenu turn={turn} />}
      <TurnTime iso={turn.createdAt} />
    </div>
  );
}
