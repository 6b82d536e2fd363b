import { z } from 'zod/mini';

/** UTF-16 units of each of the two texts. */
export const instructionLength = 1_500;

export const changeInstructions = /* @__PURE__ */ (() =>
  z.object({ about: z.string(), answers: z.string(), enabled: z.boolean() }))();

/** `GET /api/me/instructions`: what the person says about themselves, and how replies in chats are to be. */
export type Instructions = z.infer<typeof changeInstructions>;
