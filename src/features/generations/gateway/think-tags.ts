const OPEN = '<think>';
const CLOSE = '</think>';

/** Maximum whitespace before the tag, in UTF-16 units. */
const MAX_BLANKS = 256;

export interface SplitReply {
  thinking: string;
  text: string;
}

/** Returns how many characters at the end of `text` may be the start of CLOSE. */
function partialCloseLength(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--)
    if (text.endsWith(CLOSE.slice(0, length))) return length;
  return 0;
}

/**
 * Separates thinking that a server sends as tagged text because it does not know the model's format. Tags count only at
 * the very start of a reply; elsewhere they belong to its content. Without a closing tag the whole rest is thinking.
 */
export class ThinkTagParser {
  #section: 'start' | 'thinking' | 'between' | 'text' = 'start';
  #pending = '';

  push(piece: string): SplitReply {
    this.#pending += piece;
    this.#findOpen();
    const thinking = this.#takeThinking();
    this.#skipBlanks();
    return { thinking, text: this.#takeText() };
  }

  end(): SplitReply {
    const rest = this.#takePending();
    if (this.#section === 'thinking') return { thinking: rest, text: '' };
    return { thinking: '', text: this.#section === 'between' ? '' : rest };
  }

  #findOpen(): void {
    if (this.#section !== 'start') return;
    const trimmed = this.#pending.trimStart();
    if (this.#pending.length - trimmed.length > MAX_BLANKS) this.#section = 'text';
    else if (trimmed.startsWith(OPEN)) {
      this.#pending = trimmed.slice(OPEN.length);
      this.#section = 'thinking';
    } else if (!OPEN.startsWith(trimmed)) this.#section = 'text';
  }

  #takeThinking(): string {
    if (this.#section !== 'thinking') return '';
    const at = this.#pending.indexOf(CLOSE);
    const end = at === -1 ? this.#pending.length - partialCloseLength(this.#pending) : at;
    const thinking = this.#pending.slice(0, end);
    this.#pending = this.#pending.slice(at === -1 ? end : at + CLOSE.length);
    if (at !== -1) this.#section = 'between';
    return thinking;
  }

  #skipBlanks(): void {
    if (this.#section !== 'between') return;
    this.#pending = this.#pending.trimStart();
    if (this.#pending !== '') this.#section = 'text';
  }

  #takeText(): string {
    return this.#section === 'text' ? this.#takePending() : '';
  }

  #takePending(): string {
    const rest = this.#pending;
    this.#pending = '';
    return rest;
  }
}

export function splitReply(text: string): SplitReply {
  const tags = new ThinkTagParser();
  const start = tags.push(text);
  const rest = tags.end();
  return { thinking: start.thinking + rest.thinking, text: start.text + rest.text };
}
