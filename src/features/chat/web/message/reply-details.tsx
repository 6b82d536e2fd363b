import {
  Bookmark,
  Check,
  Clipboard,
  GitFork,
  Hash,
  RotateCw,
  Share2,
  TextQuote,
  Volume2,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { type NavigateFunction, useNavigate } from 'react-router';
import { canReadAloud } from '#client/read-aloud.ts';
import { useClipboard } from '#client/use-clipboard.ts';
import { formatCredits } from '#features/credits/contract.ts';
import HandOverList from '#features/tools/web/hand-over-list.tsx';
import { locale, m } from '#messages';
import { type ChatModel, chatModels } from '#shared/chat-models.ts';
import { formatTextLength, textLength } from '#shared/text-length.ts';
import { markdownToSpeech, markdownToText } from '#ui/markdown/markdown-to-text.ts';
import { MenuItem } from '#ui/menu.tsx';
import type { ChatControls } from '../state/chat-controls.ts';
import type { Message } from '../state/chat-state.ts';
import { ReadAloud } from './read-aloud.tsx';
import { replyOptions } from './reply-options.ts';
import { rememberFrom, selectedPassage } from './selected-passage.ts';

function costText(model: ChatModel, controls: ChatControls): string | null {
  const cost = controls.costOf(model);
  if (cost === null) return null;
  return model.pro ? m.plan_pro() : formatCredits(cost);
}

function OtherModels({ turn, controls }: Pick<ReplyDetailsProps, 'turn' | 'controls'>) {
  const models = chatModels();
  if (models.length < 2 || !replyOptions(turn).regenerate) return null;
  return (
    <>
      {models.map((model) => (
        <MenuItem
          key={model.id}
          onClick={(event) => {
            const list = event.currentTarget.closest<HTMLElement>('.chat-scroll');
            event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
            // The reply that contains the menu's button is replaced.
            list?.focus({ preventScroll: true });
            controls.regenerate(turn, model);
          }}
        >
          <RotateCw size={16} aria-hidden="true" />
          <span className="min-w-0 flex-1 wrap-anywhere">{m.chat_again_with({ model: model.name })}</span>
          <span className="shrink-0 text-xs text-fg-muted">{costText(model, controls)}</span>
        </MenuItem>
      ))}
      <div className="menu-line" />
    </>
  );
}

interface ReplyDetailsProps {
  turn: Message;
  /** Its text with its sources. */
  textWithSources: string;
  controls: ChatControls;
  /** Shows the control that reads the reply aloud beside the menu; null removes it. */
  onReading: (shown: ReactNode) => void;
}

const shareReply = async (messageId: string) => {
  const { openShareDialog } = await import('#features/shares/web/share-dialog.tsx');
  openShareDialog({ kind: 'reply', messageId });
};

const forkAt = async (messageId: string, navigate: NavigateFunction) => {
  const { forkChat } = await import('../state/fork-chat.ts');
  await forkChat(messageId, navigate);
};

export default function ReplyDetails({ turn, textWithSources, controls, onReading }: ReplyDetailsProps) {
  const time = new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeStyle: 'short' });
  const text = markdownToText(turn.content);
  const spoken = markdownToSpeech(turn.content);
  const asText = useClipboard();
  const reference = useClipboard();
  const { generationId } = turn;
  const navigate = useNavigate();
  // This loads after the menu has opened, so it takes the focus for the keyboard.
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} className="focus:outline-none">
      <dl className="turn-facts grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 px-2.5 py-2 text-xs">
        <dt className="text-fg-muted">{m.chat_detail_time()}</dt>
        <dd className="wrap-anywhere">{time.format(new Date(turn.createdAt))}</dd>
        {turn.assistantName === null ? null : (
          <>
            <dt className="text-fg-muted">{m.chat_assistant()}</dt>
            <dd className="wrap-anywhere" dir="auto">
              {turn.assistantName}
            </dd>
          </>
        )}
        {turn.model === null ? null : (
          <>
            <dt className="text-fg-muted">{m.chat_detail_model()}</dt>
            <dd className="wrap-anywhere">{turn.model}</dd>
          </>
        )}
        <dt className="text-fg-muted">{m.chat_detail_cost()}</dt>
        <dd className="wrap-anywhere">{m.chat_detail_credits({ credits: turn.creditsCharged })}</dd>
        {turn.images ? null : (
          <>
            <dt className="text-fg-muted">{m.chat_detail_length()}</dt>
            <dd className="wrap-anywhere">{formatTextLength(textLength(text))}</dd>
          </>
        )}
      </dl>
      <div className="menu-line" />
      <OtherModels turn={turn} controls={controls} />
      {text === '' ? null : (
        <MenuItem onClick={() => asText.copy(markdownToText(textWithSources))}>
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
      {spoken === '' || !canReadAloud() ? null : (
        <MenuItem
          onClick={(event) => {
            event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
            onReading(<ReadAloud key={Date.now()} text={spoken} onEnd={() => onReading(null)} />);
          }}
        >
          <Volume2 size={16} aria-hidden="true" />
          {m.chat_read_aloud()}
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
      {text === '' ? null : (
        <MenuItem
          onClick={(event) => {
            event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
            void shareReply(turn.id);
          }}
        >
          <Share2 size={16} aria-hidden="true" />
          {m.share_reply_menu()}
        </MenuItem>
      )}
      {text === '' ? null : (
        <MenuItem
          onClick={(event) => {
            event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
            void forkAt(turn.id, navigate);
          }}
        >
          <GitFork size={16} aria-hidden="true" />
          {m.chat_fork()}
        </MenuItem>
      )}
      {text === '' ? null : (
        <HandOverList
          to={['writer', 'script', 'image']}
          text={(event, receiver) => selectedPassage(event, receiver === 'writer' ? textWithSources : text)}
        />
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
