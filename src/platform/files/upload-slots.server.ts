import { Problem } from '../http/problem.server.ts';

/**
 * Limits how many uploads of one person this process accepts at once, and so the disk space they use. Others are
 * refused before their bytes are read.
 */
export function uploadSlots(max: number, refusal: () => string) {
  const running = new Map<string, number>();
  return async function withSlot<T>(userId: string, upload: () => Promise<T>): Promise<T> {
    const current = running.get(userId) ?? 0;
    if (current >= max) throw new Problem('rate_limited', refusal(), { retryAfter: 5 });
    running.set(userId, current + 1);
    try {
      return await upload();
    } finally {
      const remaining = (running.get(userId) ?? 1) - 1;
      if (remaining > 0) running.set(userId, remaining);
      else running.delete(userId);
    }
  };
}
