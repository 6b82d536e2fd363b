import { z } from 'zod/mini';

export const memoryLimits = {
  /** UTF-16 units of a note. */
  length: 250,
  notes: 40,
} as const;

export interface MemoryNote {
  id: string;
  text: string;
  createdAt: string;
}

/** `GET /api/me/memory`, newest first. */
export interface Memory {
  enabled: boolean;
  notes: MemoryNote[];
}

export const writeNote = /* @__PURE__ */ (() => z.object({ text: z.string() }))();

export const switchMemory = /* @__PURE__ */ (() => z.object({ enabled: z.boolean() }))();
