const OPEN = '<think>';
const CLOSE = '</think>';

/** Maximum whitespace before the tag, in UTF-16 units. */
const MAX_BLANKS = 256;

export interface SplitReply {
  thinking: string;
  text: string;
}

/** Returns how many characters at the end of `text` may be the start of CLOSE. */
function begunClose(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--)
    if (text.endsWith(CLOSE.slice(0, length))) return length;
  return 0;
}

/**
 * Separates thinking that a server sends as tagged text because it does not know the model's format. Tags count only at
 * the very start of a reply; elsewhere they belong to its content. Without a closing tag the whole rest is thinking.
 */
export class ThinkTagParser {
  #place: 'start' | 'thinking' | 'between' | 'text' = 'start';
  #held = '';

  push(piece: string): SplitReply {
    this.#held += piece;
    this.#findOpen();
    const thinking = this.#takeThinking();
    this.#skipBlanks();
    return { thinking, text: this.#takeText() };
  }

  end(): SplitReply {
    const rest = this.#takeHeld();
    if (this.#place === 'thinking') return { thinking: rest, text: '' };
    return { thinking: '', text: this.#place === 'between' ? '' : rest };
  }

  #findOpen(): void {
    if (this.#place !== 'start') return;
    const begun = this.#held.trimStart();
    if (this.#held.length - begun.length > MAX_BLANKS) this.#place = 'text';
    else if (begun.startsWith(OPEN)) {
      this.#held = begun.slice(OPEN.length);
      this.#place = 'thinking';
    } else if (!OPEN.startsWith(begun)) this.#place = 'text';
  }

  #takeThinking(): string {
    if (this.#place !== 'thinking') return '';
    const at = this.#held.indexOf(CLOSE);
    const end = at === -1 ? this.#held.length - begunClose(this.#held) : at;
    const thinking = this.#held.slice(0, end);
    this.#held = this.#held.slice(at === -1 ? end : at + CLOSE.length);
    if (at !== -1) this.#place = 'between';
    return thinking;
  }

  #skipBlanks(): void {
    if (this.#place !== 'between') return;
    this.#held = this.#held.trimStart();
    if (this.#held !== '') this.#place = 'text';
  }

  #takeText(): string {
    return this.#place === 'text' ? this.#takeHeld() : '';
  }

  #takeHeld(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }
}

export function splitReply(whole: string): SplitReply {
  const tags = new ThinkTagParser();
  const begun = tags.push(whole);
  const rest = tags.end();
  return { thinking: begun.thinking + rest.thinking, text: begun.text + rest.text };
}
