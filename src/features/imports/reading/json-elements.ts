/** Bytes of one element; enough for a chat of 10,000 long messages. */
const MAX_ELEMENT_BYTES = 32 * 1024 * 1024;
/** Nesting depth within one element. */
const MAX_DEPTH = 200;

export class InvalidJson extends Error {}

/**
 * One value from the top-level list or from a list in the top-level object, or a requested object of the top-level
 * object. `list` is its key there, and empty for a top-level list; `bytes` is null if it is too large.
 */
export interface JsonElement {
  list: string;
  bytes: Buffer | null;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

const isBlank = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Splits JSON into elements as its chunks arrive, and keeps only one element in memory, however long the text is. */
export class JsonElements {
  #depth = 0;
  /** The first byte: `[` or `{`. */
  #first = 0;
  #inString = false;
  #escaped = false;
  #ended = false;
  /** Key in the top-level object, or empty, and whether the current value is a list. */
  #name = '';
  #keyParts: Buffer[] | null = null;
  #inList = false;
  #open = false;
  #parts: Buffer[] = [];
  #size = 0;
  #tooLarge = false;
  /** Keys of the top-level object whose objects are elements. */
  readonly #objects: ReadonlySet<string>;

  constructor(objects: Iterable<string> = []) {
    this.#objects = new Set(objects);
  }

  *push(chunk: Buffer): Generator<JsonElement> {
    let from = this.#open ? 0 : -1;
    let key = this.#keyParts && this.#inString ? 0 : -1;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) {
          this.#inString = false;
          if (key >= 0) {
            this.#keyParts?.push(chunk.subarray(key, at));
            key = -1;
          }
        }
        continue;
      }
      if (isBlank(byte)) continue;
      if (this.#ended) throw new InvalidJson();
      const base = this.#first === OPEN_LIST ? 1 : 2;
      const between = this.#depth === base && this.#inList;
      if (this.#open && between && (byte === COMMA || byte === CLOSE_LIST)) {
        yield this.#close(chunk.subarray(from, at));
        from = -1;
      } else if (!this.#open && between && byte !== COMMA && byte !== CLOSE_LIST) {
        this.#open = true;
        from = at;
      } else if (byte === OPEN_OBJECT && this.#isRequested()) {
        this.#open = true;
        from = at;
      }
      if (byte === QUOTE) {
        this.#inString = true;
        if (this.#first === OPEN_OBJECT && this.#depth === 1) {
          this.#keyParts = [];
          key = at + 1;
        }
      } else if (byte === COLON && this.#depth === 1) this.#nameKey();
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#enter(byte, base);
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        this.#leave(base);
        if (this.#open && this.#depth === 1 && base === 2) {
          yield this.#close(chunk.subarray(from, at + 1));
          from = -1;
        }
      } else if (this.#depth === 0) throw new InvalidJson();
    }
    if (from >= 0) this.#store(chunk.subarray(from));
    if (key >= 0) this.#keyParts?.push(Buffer.from(chunk.subarray(key)));
  }

  /** @throws InvalidJson if the text is cut off */
  end(): void {
    if (!this.#ended) throw new InvalidJson();
  }

  /** Whether the object that starts here is an element. */
  #isRequested(): boolean {
    return this.#depth === 1 && this.#first === OPEN_OBJECT && this.#objects.has(this.#name);
  }

  #enter(byte: number, base: number): void {
    if (this.#depth === 0) this.#first = byte;
    this.#depth++;
    if (this.#depth > base + MAX_DEPTH) this.#tooLarge = true;
    if (this.#depth === 1) this.#inList = byte === OPEN_LIST;
    else if (this.#depth === 2 && base === 2) this.#inList = byte === OPEN_LIST;
  }

  #leave(base: number): void {
    this.#depth--;
    if (this.#depth < 0) throw new InvalidJson();
    if (this.#depth < base && base === 2) this.#inList = false;
    if (this.#depth === 0) this.#ended = true;
  }

  #nameKey(): void {
    const name = Buffer.concat(this.#keyParts ?? []);
    this.#keyParts = null;
    this.#name = name.length <= 100 ? name.toString() : '';
  }

  #store(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > MAX_ELEMENT_BYTES) this.#tooLarge = true;
    if (this.#tooLarge) this.#parts = [];
    // Copy the bytes, because the sender reuses the chunk.
    else this.#parts.push(Buffer.from(bytes));
  }

  #close(last: Buffer): JsonElement {
    this.#store(last);
    const bytes = this.#tooLarge ? null : Buffer.concat(this.#parts);
    this.#open = this.#tooLarge = false;
    this.#parts = [];
    this.#size = 0;
    return { list: this.#name, bytes };
  }
}
