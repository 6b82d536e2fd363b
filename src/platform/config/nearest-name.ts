function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, swap);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

export function nearestName(name: string, known: readonly string[], edits: number): string | null {
  let best: string | null = null;
  let least = edits + 1;
  for (const candidate of known) {
    const d = distance(name, candidate);
    if (d < least) [best, least] = [candidate, d];
  }
  return best;
}
