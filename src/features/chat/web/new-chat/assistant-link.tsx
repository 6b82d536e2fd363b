import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { openSignIn } from '#client/page-events.ts';
import { m } from '#messages';
import type { Assistant } from '../../contract.ts';
import { assistantTarget, type ChatState } from '../state/chat-state.ts';

interface AssistantLinkProps {
  assistant: Assistant;
  state: Pick<ChatState, 'me' | 'toolPages'>;
  className?: string;
  title?: string;
  current?: boolean;
  onGo?: (event: MouseEvent, to: string) => void;
  children: ReactNode;
}

const opensHere = ({ button, metaKey, ctrlKey, shiftKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey;

/** A guest gets there too and is asked to sign in over it, so that closing loses nothing. */
export function AssistantLink(props: AssistantLinkProps) {
  const { assistant, state, className, title, current, children } = props;
  const { to, name } = assistantTarget(assistant, state.toolPages);
  const onClick = (event: MouseEvent) => {
    props.onGo?.(event, to);
    if (!state.me && opensHere(event)) openSignIn({ next: to, reason: m.chat_sign_in_to_use({ name }) });
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
