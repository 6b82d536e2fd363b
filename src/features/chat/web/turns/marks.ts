import { failureText } from '../../contract.ts';
import { isLive, type Turn } from '../state/chat-state.ts';

export interface Mark {
  text: string;
  tone: 'quiet' | 'danger';
}

/** What the end of a reply says of it, if it did not simply finish. */
export function markOf(turn: Turn): Mark | null {
  if (turn.cutOff) return { text: 'The rest is shown after you sign in.', tone: 'quiet' };
  const uncharged = turn.creditsCharged === 0 ? ' You were not charged.' : '';
  switch (turn.state) {
    case 'stopped':
      return { text: turn.content === '' ? `Stopped.${uncharged}` : 'Stopped.', tone: 'quiet' };
    case 'interrupted':
      return { text: `Interrupted.${uncharged}`, tone: 'danger' };
    case 'failed':
      return { text: `${turn.error ?? failureText}${uncharged}`, tone: 'danger' };
    case 'done':
      if (turn.finishReason === 'length')
        return { text: 'The reply reached its length limit.', tone: 'quiet' };
      if (turn.finishReason === 'filtered')
        return { text: 'The rest was withheld by the model’s filter.', tone: 'quiet' };
      if (turn.finishReason === 'incomplete')
        return {
          text: 'Part of this reply was lost on the way, so a few words may be missing.',
          tone: 'quiet',
        };
      return null;
    default:
      return null;
  }
}

/** Where the messages are that followed the version before this one; null where none did. */
export const followedText = ({ followed }: Turn): string | null =>
  followed ? 'The messages that followed are in the other version.' : null;

/** What the reply does not know of the conversation; null when all of it was sent. */
export function leftOutText({ leftOut }: Turn): string | null {
  if (leftOut === 0) return null;
  if (leftOut === 1) return 'The first message no longer fit and was not sent.';
  return `The first ${leftOut} messages no longer fit and were not sent.`;
}

export const hasFailed = ({ state }: Turn) => state === 'failed' || state === 'interrupted';

/** Whether the reply broke off with some text, so that another one can go on from there. */
const brokeOff = (turn: Turn) =>
  turn.content !== '' &&
  (hasFailed(turn) || turn.state === 'stopped' || (turn.state === 'done' && turn.finishReason === 'length'));

interface Ways {
  /** Another reply in its place, or none where the reply is not over. */
  again: { label: 'Retry' | 'Regenerate'; goesOn: boolean } | null;
  goOn: boolean;
}

/** How one can go on from a reply. One that itself went on from another and failed is tried again from where it began. */
export function waysOn(turn: Turn): Ways {
  if (isLive(turn) || turn.cutOff || turn.unsent) return { again: null, goOn: false };
  const goesOn = hasFailed(turn) && turn.takenOver > 0;
  const label = hasFailed(turn) ? 'Retry' : 'Regenerate';
  return { again: { label, goesOn }, goOn: brokeOff(turn) && !goesOn };
}
