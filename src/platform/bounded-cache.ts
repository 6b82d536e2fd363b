/** Holds at most `maxSize` values; when it is full, the oldest gives way. */
export class BoundedCache<Value> {
  readonly #maxSize: number;
  readonly #entries = new Map<string, Value>();

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): Value {
    this.#entries.set(key, value);
    const first = this.#entries.keys().next().value;
    if (this.#entries.size > this.#maxSize && first !== undefined) this.#entries.delete(first);
    return value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
