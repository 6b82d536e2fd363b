const OPEN = '<think>';
const CLOSE = '</think>';

/** UTF-16 units of blanks that may stand before the tag. */
const MAX_BLANKS = 256;

export interface SplitReply {
  thinking: string;
  text: string;
}

/** How much of the end of `text` may be the beginning of the tag that ends the thinking. */
function begunClose(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--)
    if (text.endsWith(CLOSE.slice(0, length))) return length;
  return 0;
}

/**
 * Servers that do not know how a model marks its thinking send the marks as text. They count at the very start of a
 * reply alone: anywhere else, and within code, they are what the reply is about. One that is not closed holds the rest.
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
