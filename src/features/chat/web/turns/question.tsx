import { Pencil } from 'lucide-react';
import { AttachmentView } from './attachment-view.tsx';
import { followedText } from './marks.ts';
import { QuestionText } from './question-text.tsx';
import { CopyButton, TurnButton } from './turn-button.tsx';
import { TurnTime } from './turn-time.tsx';
import type { TurnProps } from './turn-view.tsx';
import { Versions } from './versions.tsx';

/** What the person said, with its file. */
export function Question({ turn, last, found, controls }: TurnProps) {
  const followed = followedText(turn);
  return (
    <article className="chat-question" data-last={last ? '' : undefined}>
      <h2 className="visually-hidden">You said</h2>
      {turn.attachment ? <AttachmentView file={turn.attachment} /> : null}
      {turn.content === '' ? null : <QuestionText text={turn.content} found={found === true} />}
      {followed ? <p className="chat-mark turn-followed">{followed}</p> : null}
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
