const NUL = '\0';

function endsInHighSurrogate(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

/**
 * Removes NUL and replaces lone surrogates, which PostgreSQL cannot store. Holds a high surrogate at the end of a piece
 * back until the next piece, because the pair may be split across the two.
 */
export class TextCleaner {
  #pending = '';

  push(piece: string): string {
    let text = this.#pending + (piece.includes(NUL) ? piece.replaceAll(NUL, '') : piece);
    this.#pending = '';
    if (endsInHighSurrogate(text)) {
      this.#pending = text.slice(-1);
      text = text.slice(0, -1);
    }
    return text.toWellFormed();
  }

  end(): string {
    const rest = this.#pending.toWellFormed();
    this.#pending = '';
    return rest;
  }
}
