import { z } from 'zod/mini';

/** Classes of the window's width: below 768 px, below 1,280 px, and from there on. */
const widths = ['narrow', 'medium', 'wide'] as const;

/** A body is a few hundred bytes. */
export const viewBytes = 2048;

/** Body of `POST /api/events`: a page that was shown. What is stored of it is less: see the service. */
export const viewSchema = z.object({
  /** Version of the consent under which the browser counts; without the present one nothing is counted. */
  consent: z.optional(z.unknown()),
  path: z.string().check(z.maxLength(500)),
  /** Host of the page that led here, on the first page of a visit. */
  referrer: z.optional(z.string().check(z.maxLength(300))),
  width: z.enum(widths),
});

/** What is counted of a view, each by itself. */
export const facts = ['page', 'referrer', 'language', 'width'] as const;
export type Fact = (typeof facts)[number];

/** For as long as a day's sums are kept. */
export const keptMonths = 25;
