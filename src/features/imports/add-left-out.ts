import type { LeftOut, LeftOutKind } from './contract.ts';

export function addLeftOut(sum: LeftOut, more: LeftOut): void {
  for (const [kind, count] of Object.entries(more) as [LeftOutKind, number][])
    if (count > 0) sum[kind] = (sum[kind] ?? 0) + count;
}
