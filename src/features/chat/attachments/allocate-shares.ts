/** Divides the room among sizes: small ones get all they need, the larger ones equal shares of the rest. */
export function allocateShares(sizes: readonly number[], capacity: number): number[] {
  let left = capacity;
  let unserved = sizes.filter((size) => size > 0).length;
  const shareBySize = new Map<number, number>();
  for (const size of [...sizes].sort((a, b) => a - b)) {
    if (size === 0) continue;
    const share = Math.min(size, Math.floor(left / unserved));
    shareBySize.set(size, Math.min(share, shareBySize.get(size) ?? share));
    left -= share;
    unserved -= 1;
  }
  return sizes.map((size) => Math.min(size, shareBySize.get(size) ?? 0));
}
