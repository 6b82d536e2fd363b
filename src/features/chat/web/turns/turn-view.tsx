import { memo, type ReactNode } from 'react';
import type { Turn } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';
import { Question } from './question.tsx';
import { Reply } from './reply.tsx';
import './attachments.css';
import './turns.css';

export interface TurnProps {
  turn: Turn;
  /** The last question or reply of the conversation: its actions stay visible. */
  last: boolean;
  /** It was asked for by a search or the address. */
  found?: boolean;
  controls: ChatControls;
}

/** One turn of the conversation; only the one that changes is shown anew. */
export const TurnView = memo(function TurnView(props: TurnProps): ReactNode {
  return props.turn.role === 'assistant' ? <Reply {...props} /> : <Question {...props} />;
});
