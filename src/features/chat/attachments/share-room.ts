/** Of each size as much as there is room for all: small ones whole, the larger ones as much as each other. */
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
