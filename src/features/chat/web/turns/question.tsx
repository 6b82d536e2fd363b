import { Pencil } from 'lucide-react';
import { hasLongWord } from '../markdown/long-word.ts';
import { AttachmentView } from './attachment-view.tsx';
import { CopyButton, TurnButton } from './turn-button.tsx';
import { TurnTime } from './turn-time.tsx';
import type { TurnProps } from './turn-view.tsx';
import { Versions } from './versions.tsx';

/** What the person said, with its file. */
export function Question({ turn, last, controls }: TurnProps) {
  return (
    <article className="chat-question" data-last={last ? '' : undefined}>
      <h2 className="visually-hidden">You said</h2>
      {turn.attachment ? <AttachmentView file={turn.attachment} /> : null}
      {turn.content === '' ? null : (
        <p className="bubble" data-unkerned={hasLongWord(turn.content) ? '' : undefined}>
          {turn.content}
        </p>
      )}
      <div className="turn-actions">
        {turn.unsent ? null : (
          <>
            <TurnTime iso={turn.createdAt} />
            <Versions turn={turn} controls={controls} />
            {turn.content === '' ? null : <CopyButton text={turn.content} />}
            <TurnButton icon={Pencil} name="Edit" starts onClick={() => controls.edit(turn)} />
          </>
        )}
      </div>
    </article>
  );
}
