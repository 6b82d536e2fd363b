import { z } from 'zod/mini';

/** UTF-16 units, for each of the two texts. */
export const instructionLength = 1_500;

export const changeInstructions = /* @__PURE__ */ (() =>
  z.object({ about: z.string(), answers: z.string(), enabled: z.boolean() }))();

/** `GET /api/me/instructions`: how users describe themselves, and how chat replies should be. */
export type Instructions = z.infer<typeof changeInstructions>;
