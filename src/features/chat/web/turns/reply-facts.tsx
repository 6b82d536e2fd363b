import { Check, Clipboard, Hash } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useCopied } from '../../../../client/use-copied.ts';
import { plainText, wordCount } from '../../../../ui/markdown/plain-text.ts';
import type { Turn } from '../state/chat-state.ts';

const number = new Intl.NumberFormat('en-US');
const time = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short' });

const counted = (count: number, one: string) => `${number.format(count)} ${one}${count === 1 ? '' : 's'}`;

/** The content of a reply's menu: when and by what it was written, what it cost, and further ways to copy. */
export default function ReplyFacts({ turn }: { turn: Turn }) {
  const text = plainText(turn.content);
  const asText = useCopied();
  const reference = useCopied();
  const { generationId } = turn;
  // The content came after the menu had opened: the keyboard goes on from here.
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} className="turn-menu-box">
      <dl className="turn-facts">
        <dt>Time</dt>
        <dd>{time.format(new Date(turn.createdAt))}</dd>
        {turn.model === null ? null : (
          <>
            <dt>Model</dt>
            <dd>{turn.model}</dd>
          </>
        )}
        <dt>Cost</dt>
        <dd>{turn.creditsCharged === 0 ? 'No credits' : counted(turn.creditsCharged, 'credit')}</dd>
        <dt>Length</dt>
        <dd>{counted(wordCount(text), 'word')}</dd>
      </dl>
      <div className="menu-line" />
      {text === '' ? null : (
        <button type="button" className="menu-item" onClick={() => asText.copy(text)}>
          {asText.copied ? (
            <Check size={16} aria-hidden="true" />
          ) : (
            <Clipboard size={16} aria-hidden="true" />
          )}
          {asText.copied ? 'Copied' : 'Copy as text'}
        </button>
      )}
      {generationId === null ? null : (
        <button type="button" className="menu-item" onClick={() => reference.copy(generationId)}>
          {reference.copied ? <Check size={16} aria-hidden="true" /> : <Hash size={16} aria-hidden="true" />}
          <span>
            {reference.copied ? 'Copied' : 'Copy reference'}
            <span className="turn-reference">{generationId}</span>
          </span>
        </button>
      )}
    </div>
  );
}
