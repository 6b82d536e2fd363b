/** Holds at most `most` values; when it is full, the oldest gives way. */
export class BoundedCache<Value> {
  readonly #most: number;
  readonly #kept = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    return this.#kept.get(key);
  }

  set(key: string, value: Value): Value {
    this.#kept.set(key, value);
    const first = this.#kept.keys().next().value;
    if (this.#kept.size > this.#most && first !== undefined) this.#kept.delete(first);
    return value;
  }

  delete(key: string): void {
    this.#kept.delete(key);
  }
}
