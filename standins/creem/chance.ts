/** Chance that comes out the same for the same seed. */

/** Numbers from 0 up to 1 (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same items in another order. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const mixed = [...items];
  for (let left = mixed.length - 1; left > 0; left -= 1) {
    const other = Math.floor(random() * (left + 1));
    [mixed[left], mixed[other]] = [mixed[other] as T, mixed[left] as T];
  }
  return mixed;
}
