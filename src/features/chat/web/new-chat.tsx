import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { openSignIn } from '#client/page-events.ts';
import { m } from '#messages';
import { type Assistant, generalAssistant, temporaryHours } from '../contract.ts';
import type { ChatProps } from './state/chat-controls.ts';
import { assistantTarget, type ChatState, newChatPath, openAssistant } from './state/chat-state.ts';

interface AssistantLinkProps {
  assistant: Assistant;
  state: Pick<ChatState, 'me' | 'toolPages'> & Partial<Pick<ChatState, 'open'>>;
  className?: string;
  title?: string;
  current?: boolean;
  onNavigate?: (event: MouseEvent, to: string) => void;
  children: ReactNode;
}

const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey;

/** Guests get there too and are asked to sign in on top of it, so that closing the dialog loses nothing. */
export function AssistantLink(props: AssistantLinkProps) {
  const { assistant, state, className, title, current, children } = props;
  const { to, name } = assistantTarget(assistant, state.toolPages, state.open);
  const onClick = (event: MouseEvent) => {
    props.onNavigate?.(event, to);
    if (!state.me && isPlainClick(event)) openSignIn({ next: to, reason: m.chat_sign_in_to_use({ name }) });
  };
  return (
    <Link
      className={className}
      to={to}
      title={title}
      aria-current={current ? 'page' : undefined}
      onClick={onClick}
    >
      {children}
    </Link>
  );
}

const choiceClass =
  'inline-flex min-h-8 items-center rounded-sm border border-transparent px-3 text-sm text-fg-muted hover:text-fg aria-[current]:border-line-strong aria-[current]:bg-raised aria-[current]:font-semibold aria-[current]:text-fg forced-colors:aria-[current]:border-2 forced-colors:aria-[current]:border-[Highlight] max-sm:px-1 max-sm:text-xs pointer-coarse:min-h-10';

function AssistantPicker({ state, controls }: ChatProps) {
  const { own } = state.open;
  const chosen = own ? undefined : openAssistant(state);
  const about = own ? own.about : chosen?.id === generalAssistant ? '' : chosen?.description;
  const choices = state.assistants.filter((each) => each.tool === null || each === chosen);
  if (choices.length < 2 && !state.me) return null;
  return (
    <nav className="grid gap-2" aria-label={m.chat_assistant()}>
      <ul className="flex w-fit max-w-full flex-wrap gap-0.5 rounded-md bg-sunken p-0.5">
        {choices.map((each) => (
          <li key={each.id}>
            <AssistantLink className={choiceClass} assistant={each} state={state} current={each === chosen}>
              {each.name}
            </AssistantLink>
          </li>
        ))}
        {state.me ? (
          <li>
            <button
              type="button"
              className={choiceClass}
              aria-current={own ? 'page' : undefined}
              onClick={() => controls.show({ kind: 'assistants' })}
            >
              {own?.name ?? m.assistants_own()}
            </button>
          </li>
        ) : null}
      </ul>
      {about ? <p className="muted text-sm">{about}</p> : null}
    </nav>
  );
}

/** A name that is only the start of the email address does not count. */
function greetedName(me: ChatState['me']): string | null {
  if (!me || me.name === me.email || me.name === me.email.slice(0, me.email.lastIndexOf('@'))) return null;
  return me.name;
}

const mark = (text: unknown) => <span className="mark whitespace-nowrap">{text as string}</span>;

const columnClass = 'mx-auto w-full max-w-[calc(var(--measure-chat)+2*var(--s-6))] px-6 max-[60rem]:px-4';

export function Greeting({ state, controls }: ChatProps) {
  const name = greetedName(state.me);
  const { temporary, project } = state.open;
  // The position must not depend on what follows, because a page that arrives in parts would move.
  return (
    <header className={`grid gap-4 pt-[max(1.5rem,44dvh-15.5rem)] pb-5 ${columnClass}`}>
      <h2 className="text-3xl font-[650] tracking-[-0.025em] text-balance">
        {temporary
          ? m.chat_temporary()
          : project
            ? project.name
            : name
              ? m.chat_greeting_named({ name, mark })
              : m.chat_greeting({ mark })}
      </h2>
      {temporary ? (
        <p className="muted text-sm">{m.chat_temporary_about({ hours: temporaryHours })}</p>
      ) : null}
      <AssistantPicker state={state} controls={controls} />
    </header>
  );
}

export function Suggestions({ state, onPick }: { state: ChatState; onPick: (text: string) => void }) {
  const prompts = openAssistant(state)?.prompts ?? [];
  if (prompts.length === 0) return null;
  const pick = (text: string) => {
    onPick(text);
    if (!state.me) openSignIn({ next: newChatPath(state.open.assistant), reason: m.chat_sign_in_to_send() });
  };
  return (
    <section
      className={`pt-2 min-[60rem]:pb-8 max-[60rem]:order-1 max-[60rem]:pb-4 ${columnClass}`}
      aria-labelledby="chat-prompts"
    >
      <h3 className="eyebrow mb-2" id="chat-prompts">
        {m.chat_suggestions()}
      </h3>
      <ul className="grid grid-cols-2 gap-2 max-sm:grid-cols-1">
        {prompts.map((text) => (
          <li key={text} className="grid sm:last:odd:col-span-2">
            <button
              type="button"
              className="rounded-md border border-line px-3.5 py-2 text-start text-sm text-fg-muted hover:border-line-strong hover:bg-sunken hover:text-fg pointer-coarse:min-h-11"
              onClick={() => pick(text)}
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
