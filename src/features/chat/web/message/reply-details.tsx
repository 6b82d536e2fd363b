import { Bookmark, Check, Clipboard, Hash, TextQuote } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useClipboard } from '#client/use-clipboard.ts';
import { locale, m } from '#messages';
import { formatTextLength, textLength } from '#shared/text-length.ts';
import { markdownToText } from '#ui/markdown/markdown-to-text.ts';
import { MenuItem } from '#ui/menu.tsx';
import type { ChatControls } from '../state/chat-controls.ts';
import type { Message } from '../state/chat-state.ts';
import { rememberFrom, selectedPassage } from './selected-passage.ts';

export default function ReplyDetails({ turn, controls }: { turn: Message; controls: ChatControls }) {
  const time = new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeStyle: 'short' });
  const text = markdownToText(turn.content);
  const asText = useClipboard();
  const reference = useClipboard();
  const { generationId } = turn;
  // The content came after the menu had opened: the keyboard goes on from here.
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} className="focus:outline-none">
      <dl className="turn-facts grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 px-2.5 py-2 text-xs">
        <dt className="text-fg-muted">{m.chat_detail_time()}</dt>
        <dd className="wrap-anywhere">{time.format(new Date(turn.createdAt))}</dd>
        {turn.model === null ? null : (
          <>
            <dt className="text-fg-muted">{m.chat_detail_model()}</dt>
            <dd className="wrap-anywhere">{turn.model}</dd>
          </>
        )}
        <dt className="text-fg-muted">{m.chat_detail_cost()}</dt>
        <dd className="wrap-anywhere">{m.chat_detail_credits({ credits: turn.creditsCharged })}</dd>
        <dt className="text-fg-muted">{m.chat_detail_length()}</dt>
        <dd className="wrap-anywhere">{formatTextLength(textLength(text))}</dd>
      </dl>
      <div className="menu-line" />
      {text === '' ? null : (
        <MenuItem onClick={() => asText.copy(text)}>
          {asText.copied ? (
            <Check size={16} aria-hidden="true" />
          ) : (
            <Clipboard size={16} aria-hidden="true" />
          )}
          {asText.copied ? m.copied() : m.chat_copy_as_text()}
        </MenuItem>
      )}
      {text === '' ? null : (
        <MenuItem
          onClick={(event) => {
            const passage = selectedPassage(event, text);
            event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
            controls.quote(passage);
          }}
        >
          <TextQuote size={16} aria-hidden="true" />
          {m.chat_quote()}
        </MenuItem>
      )}
      {text === '' ? null : (
        <MenuItem
          onClick={(event) => {
            event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
            rememberFrom(event, text, controls);
          }}
        >
          <Bookmark size={16} aria-hidden="true" />
          {m.chat_remember()}
        </MenuItem>
      )}
      {generationId === null ? null : (
        <MenuItem onClick={() => reference.copy(generationId)}>
          {reference.copied ? <Check size={16} aria-hidden="true" /> : <Hash size={16} aria-hidden="true" />}
          <span>
            {reference.copied ? m.copied() : m.chat_copy_reference()}
            <span className="turn-reference block font-mono text-2xs wrap-anywhere text-fg-subtle">
              {generationId}
            </span>
          </span>
        </MenuItem>
      )}
    </div>
  );
}
