import { Bookmark, Pencil } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { hasLongWord } from '#ui/markdown/long-word.ts';
import { AttachmentViews } from '../attachments/attachment-view.tsx';
import type { ChatControls } from '../state/chat-controls.ts';
import type { Message } from '../state/chat-state.ts';
import { CopyButton, MessageButton, MessageTime, VersionSwitcher } from './message-actions.tsx';
import { rememberFrom } from './selected-passage.ts';

export interface QuestionProps {
  turn: Message;
  last: boolean;
  found?: boolean;
  controls: ChatControls;
}

export function Question({ turn, last, found, controls }: QuestionProps) {
  const followed = turn.followed ? m.chat_reply_followed() : null;
  return (
    <article className="chat-question" data-last={last ? '' : undefined}>
      <h2 className="visually-hidden">{m.chat_you_said()}</h2>
      {turn.attachments.length > 0 ? <AttachmentViews files={turn.attachments} /> : null}
      {turn.content === '' ? null : <QuestionText text={turn.content} found={found === true} />}
      {followed ? <p className="mt-2 text-end text-sm text-fg-muted">{followed}</p> : null}
      <div className="turn-actions">
        {turn.unsent ? null : (
          <>
            <MessageTime iso={turn.createdAt} />
            <VersionSwitcher turn={turn} controls={controls} />
            {turn.content === '' ? null : <CopyButton text={turn.content} />}
            {turn.content === '' ? null : (
              <button
                type="button"
                className="turn-button turn-icon"
                aria-label={m.chat_remember()}
                title={m.chat_remember()}
                onClick={(event) => rememberFrom(event, turn.content, controls)}
              >
                <Bookmark size={16} strokeWidth={1.75} aria-hidden="true" />
              </button>
            )}
            <MessageButton icon={Pencil} name={m.common_edit()} starts onClick={() => controls.edit(turn)} />
          </>
        )}
      </div>
    </article>
  );
}

/** Lines; message.css shows `maxLines - 4` of a longer question, so that folding is worth it. */
const maxLines = 24;

/** The most letters in a line, in a wide window and on a phone. */
const lineLengths = { wide: 76, narrow: 36 };

function countLines(text: string, perLine: number): number {
  let lines = 0;
  for (const line of text.split('\n')) lines += Math.max(1, Math.ceil(line.length / perLine));
  return lines;
}

/** Computed from the text alone, so that nothing moves after layout. */
export function collapseAt(text: string): 'wide' | 'narrow' | undefined {
  if (countLines(text, lineLengths.wide) > maxLines) return 'wide';
  return countLines(text, lineLengths.narrow) > maxLines ? 'narrow' : undefined;
}

function QuestionText({ text, found }: { text: string; found: boolean }) {
  const fold = collapseAt(text);
  const [open, setOpen] = useState(found);
  const [wasFound, setWasFound] = useState(found);
  const button = useRef<HTMLButtonElement>(null);
  if (found !== wasFound) {
    setWasFound(found);
    if (found) setOpen(true);
  }
  useLayoutEffect(() => {
    // Folding removes the text above the button, so the button may end up out of view.
    if (!open && document.activeElement === button.current)
      button.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  return (
    <>
      <p
        className="bubble"
        data-unkerned={hasLongWord(text) ? '' : undefined}
        data-fold={open ? undefined : fold}
        // Find in page or a selection has scrolled into the hidden part.
        onScroll={fold && !open ? () => setOpen(true) : undefined}
      >
        {text}
      </p>
      {fold ? (
        <button
          ref={button}
          type="button"
          className="turn-button bubble-more"
          data-fold={fold}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? m.chat_show_less() : m.chat_show_all()}
        </button>
      ) : null}
    </>
  );
}
