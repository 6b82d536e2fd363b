/** Divides the room among sizes: small ones get all they need, the larger ones equal shares of the rest. */
export function shareRoom(sizes: readonly number[], room: number): number[] {
  let left = room;
  let waiting = sizes.filter((size) => size > 0).length;
  const most = new Map<number, number>();
  for (const size of [...sizes].sort((a, b) => a - b)) {
    if (size === 0) continue;
    const share = Math.min(size, Math.floor(left / waiting));
    most.set(size, Math.min(share, most.get(size) ?? share));
    left -= share;
    waiting -= 1;
  }
  return sizes.map((size) => Math.min(size, most.get(size) ?? 0));
}
