import { m } from '#messages';
import { chatModelOf } from '#shared/chat-models.ts';
import { formatTextLength, textLength } from '#shared/text-length.ts';
import { markdownToText } from '#ui/markdown/markdown-to-text.ts';
import { failureText } from '../../contract.ts';
import { type Message, openPair } from '../state/chat-state.ts';

/** Words up to which a reply is read out. */
const shortReply = 60;

/** Characters; the Markdown of longer texts is not parsed again, because that would block the page. */
const maxParsed = 2_000;

export function endAnnouncement(messages: readonly Message[]): string {
  const pair = openPair(messages);
  if (!pair) return messages.slice(-1).map(outcomeText).join('');
  return pair
    .map((turn, at) => {
      const model = pair[1 - at]?.beside?.model ?? '';
      return m.chat_compare_say({ model: chatModelOf(model)?.name ?? model, outcome: outcomeText(turn) });
    })
    .join(' ');
}

function outcomeText(turn: Message): string {
  if (turn.cutOff) return '';
  switch (turn.state) {
    case 'done': {
      if (turn.images) return m.images_ready({ count: 1 });
      const text = turn.content.length > maxParsed ? turn.content : markdownToText(turn.content);
      const length = textLength(text);
      return length.words > shortReply
        ? m.chat_say_ready({ length: formatTextLength(length) })
        : m.chat_say_reply({ text });
    }
    case 'stopped':
      return m.chat_say_stopped();
    case 'interrupted':
      return m.chat_say_interrupted();
    default:
      return turn.error ?? failureText();
  }
}
