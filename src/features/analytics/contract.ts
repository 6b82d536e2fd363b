import { z } from 'zod/mini';

/** Below 768 px, below 1,280 px, and wider. */
const widths = ['narrow', 'medium', 'wide'] as const;

export const maxViewBytes = 2048;

export const viewSchema = z.object({
  /** Version of the consent in the browser; only views under the current version are counted. */
  consent: z.optional(z.unknown()),
  path: z.string().check(z.maxLength(500)),
  referrer: z.optional(z.string().check(z.maxLength(300))),
  width: z.enum(widths),
});

export const viewDimensions = ['page', 'referrer', 'language', 'width'] as const;
export type ViewDimension = (typeof viewDimensions)[number];

export const retentionMonths = 25;
