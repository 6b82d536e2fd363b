import { ArrowRight, Square } from 'lucide-react';
import type { ComponentType } from 'react';
import { m } from '#messages';
import { chatModelOf } from '#shared/chat-models.ts';
import { Button } from '#ui/button.tsx';
import type { ChatControls } from '../state/chat-controls.ts';
import { goesOnFrom, isLive, type Message } from '../state/chat-state.ts';
import { keepFocus } from './keep-focus.ts';
import type { ReplyProps } from './reply.tsx';

export interface ReplyPairProps {
  /** Of the chat's own model. */
  first: Message;
  second: Message;
  controls: ChatControls;
  /** Given, so that the list of messages stays one file. */
  Reply: ComponentType<ReplyProps>;
}

const nameOf = (id: string | undefined) => (id === undefined ? '' : (chatModelOf(id)?.name ?? id));

export default function ReplyPair({ first, second, controls, Reply }: ReplyPairProps) {
  const [firstName, secondName] = [nameOf(second.beside?.model), nameOf(first.beside?.model)];
  const goesOn = goesOnFrom([first, second]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      role="group"
      aria-label={m.chat_compare_group({ first: firstName, second: secondName })}
      className="mx-[calc((100%-min(72rem,100cqw))/2)] grid items-start gap-6 @min-[46rem]:grid-cols-2 print:mx-0 print:block"
    >
      <div className="min-w-0">
        <Reply turn={first} last controls={controls} by={firstName}>
          <PairActions turn={first} name={firstName} controls={controls} />
          {goesOn === first ? <GoesOn name={firstName} /> : null}
        </Reply>
      </div>
      <div className="min-w-0 print:hidden">
        <Reply turn={second} last controls={controls} by={secondName}>
          <PairActions turn={second} name={secondName} controls={controls} />
          {goesOn === second ? <GoesOn name={secondName} /> : null}
        </Reply>
      </div>
    </div>
  );
}

const GoesOn = ({ name }: { name: string }) => (
  <p className="mt-2 text-xs text-fg-muted print:hidden">{m.chat_compare_goes_on({ model: name })}</p>
);

function PairActions({ turn, name, controls }: { turn: Message; name: string; controls: ChatControls }) {
  if (isLive(turn))
    return turn.stopping ? null : (
      <button
        type="button"
        className="turn-button"
        onClick={(event) => {
          keepFocus(event);
          controls.stopOne(turn);
        }}
      >
        <Square size={16} strokeWidth={1.75} aria-hidden="true" />
        {m.chat_compare_stop({ model: name })}
      </button>
    );
  if (turn.content === '' || turn.unsent) return null;
  return (
    <Button
      look="secondary"
      className="mt-2 print:hidden"
      onClick={(event) => {
        keepFocus(event);
        controls.showVersion(turn.id);
      }}
    >
      <ArrowRight size={16} strokeWidth={1.75} aria-hidden="true" className="rtl:-scale-x-100" />
      {m.chat_compare_choose({ model: name })}
    </Button>
  );
}
