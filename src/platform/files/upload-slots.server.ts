import { Problem } from '../http/problem.server.ts';

/**
 * Limits how many uploads of one person this process accepts at once, and so the disk space they use. Others are
 * refused before their bytes are read.
 */
export function uploadSlots(most: number, refusal: () => string) {
  const taken = new Map<string, number>();
  return async function withSlot<T>(userId: string, upload: () => Promise<T>): Promise<T> {
    const others = taken.get(userId) ?? 0;
    if (others >= most) throw new Problem('rate_limited', refusal(), { retryAfter: 5 });
    taken.set(userId, others + 1);
    try {
      return await upload();
    } finally {
      const left = (taken.get(userId) ?? 1) - 1;
      if (left > 0) taken.set(userId, left);
      else taken.delete(userId);
    }
  };
}
