import { ArrowRight, Square } from 'lucide-react';
import {
  type ComponentType,
  type RefObject,
  startTransition,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { m } from '#messages';
import { chatModelOf } from '#shared/chat-models.ts';
import { Button } from '#ui/button.tsx';
import { TabList } from '#ui/tabs.tsx';
import type { ChatControls } from '../state/chat-controls.ts';
import { isLive, type Message, replyToContinue } from '../state/chat-state.ts';
import { keepFocus } from './keep-focus.ts';
import type { ReplyProps } from './reply.tsx';

export interface ReplyPairProps {
  /** The reply of the chat's own model. */
  first: Message;
  second: Message;
  /** A search hit or the address leads to the second reply. */
  secondIsTarget: boolean;
  controls: ChatControls;
  /** Passed in, so that the message list stays one file. */
  Reply: ComponentType<ReplyProps>;
}

const modelName = (id: string | undefined) => (id === undefined ? '' : (chatModelOf(id)?.name ?? id));

/** Whether the two are tabs, for lack of space. The style sheet decides, and hides one before this is known. */
function useIsNarrow(group: RefObject<HTMLElement | null>): boolean {
  const [narrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const list = group.current?.querySelector('[role=tablist]');
    // A transition, because an urgent update would turn replies that are not yet hydrated into plain text.
    const measure = () => startTransition(() => setNarrow(list?.checkVisibility() === true));
    const observer = new ResizeObserver(measure);
    measure();
    if (group.current) observer.observe(group.current);
    return () => observer.disconnect();
  }, [group]);
  return narrow;
}

const TabName = ({ turn, name }: { turn: Message; name: string }) => (
  <span className="flex items-center gap-2">
    <span className="max-w-40 truncate">{name}</span>
    {isLive(turn) ? (
      <>
        <span className="spinner" aria-hidden="true" />
        <span className="visually-hidden">{m.chat_compare_writing()}</span>
      </>
    ) : null}
  </span>
);

/** Side by side, as tabs where there is no space for that, and one after the other in print. */
export default function ReplyPair({ first, second, secondIsTarget, controls, Reply }: ReplyPairProps) {
  const base = useId();
  const group = useRef<HTMLDivElement>(null);
  const narrow = useIsNarrow(group);
  const [shown, setShown] = useState<'first' | 'second'>(secondIsTarget ? 'second' : 'first');
  const [wasTarget, setWasTarget] = useState(secondIsTarget);
  if (secondIsTarget !== wasTarget) {
    setWasTarget(secondIsTarget);
    if (secondIsTarget) setShown('second');
  }
  const mainReply = replyToContinue([first, second]);
  const replies = [
    { id: 'first', turn: first, name: modelName(second.beside?.model) },
    { id: 'second', turn: second, name: modelName(first.beside?.model) },
  ] as const;
  const label = m.chat_compare_group({ first: replies[0].name, second: replies[1].name });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      ref={group}
      role="group"
      aria-label={label}
      className="mx-[calc((100%-min(72rem,100cqw))/2)] grid items-start gap-6 @max-[46rem]:gap-4 @min-[46rem]:grid-cols-2 print:mx-0 print:block"
    >
      <TabList
        base={base}
        label={label}
        tabs={replies.map(({ id, turn, name }) => ({ id, label: <TabName turn={turn} name={name} /> }))}
        chosen={shown}
        onChoose={(id) => setShown(id === 'second' ? 'second' : 'first')}
        className="sticky top-0 z-1 bg-surface @min-[46rem]:hidden print:hidden"
      />
      {replies.map(({ id, turn, name }) => (
        <div
          key={id}
          id={`${base}-${id}-panel`}
          {...(narrow && { role: 'tabpanel', 'aria-labelledby': `${base}-${id}` })}
          className={`min-w-0 @max-[46rem]:[&_.chat-reply>h2]:sr-only print:block! ${id === shown ? '' : '@max-[46rem]:hidden'}`}
        >
          <Reply turn={turn} last controls={controls} modelName={name}>
            <PairActions turn={turn} name={name} controls={controls} />
            {mainReply === turn ? <MainReplyNote name={name} /> : null}
          </Reply>
        </div>
      ))}
    </div>
  );
}

const MainReplyNote = ({ name }: { name: string }) => (
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
      variant="secondary"
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
