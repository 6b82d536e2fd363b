const NUL = '\0';

function endsInHighSurrogate(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

/**
 * PostgreSQL stores neither NUL nor lone surrogates. A pair may be split over two pieces, so a high surrogate at the
 * end waits for the next one.
 */
export class TextCleaner {
  #held = '';

  push(piece: string): string {
    let text = this.#held + (piece.includes(NUL) ? piece.replaceAll(NUL, '') : piece);
    this.#held = '';
    if (endsInHighSurrogate(text)) {
      this.#held = text.slice(-1);
      text = text.slice(0, -1);
    }
    return text.toWellFormed();
  }

  end(): string {
    const rest = this.#held.toWellFormed();
    this.#held = '';
    return rest;
  }
}
