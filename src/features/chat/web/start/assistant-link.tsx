import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import type { Assistant } from '../../contract.ts';
import { wayTo } from '../state/assistants.ts';
import type { ChatState } from '../state/chat-state.ts';
import { openSignIn } from '../state/sending.ts';

interface AssistantLinkProps {
  assistant: Assistant;
  state: Pick<ChatState, 'me' | 'toolPages'>;
  className?: string;
  title?: string;
  current?: boolean;
  /** Called before the page goes there; it may prevent that. */
  onGo?: (event: MouseEvent, to: string) => void;
  children: ReactNode;
}

const opensHere = ({ button, metaKey, ctrlKey, shiftKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey;

/** Leads to an assistant. A guest gets there too, and is asked to sign in over it, so that closing loses nothing. */
export function AssistantLink(props: AssistantLinkProps) {
  const { assistant, state, className, title, current, children } = props;
  const { to, name } = wayTo(assistant, state.toolPages);
  const onClick = (event: MouseEvent) => {
    props.onGo?.(event, to);
    if (!state.me && opensHere(event)) openSignIn(to, `Sign in to use ${name}.`);
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
