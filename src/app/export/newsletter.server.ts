import { z } from 'zod';
import { everyIssue, everySubscription } from '../../features/support/newsletter/person/service.server.ts';
import type { UserActor } from '../../platform/http/actor.server.ts';

const time = z.iso.datetime();

/** `newsletter` of export.json. */
export const newsletterSchema = z.object({
  subscriptions: z
    .array(
      z.object({
        email: z.string(),
        consent: z.string().describe('The words that you agreed to'),
        page: z.string().describe('Where you asked for it'),
        askedAt: time,
        askedFrom: z.string().describe('The network you asked from, shortened'),
        confirmedAt: time.nullable().describe('null for a request that you have not confirmed'),
        confirmedFrom: z.string().nullable(),
      }),
    )
    .describe('The newsletter at the address of your account'),
  issues: z.array(z.object({ subject: z.string(), sentAt: time })).describe('What was sent to you'),
});

/** What the newsletter knows of the actor's address. */
export async function newsletterOf(actor: UserActor): Promise<z.infer<typeof newsletterSchema>> {
  const [subscriptions, issues] = await Promise.all([everySubscription({ actor }), everyIssue({ actor })]);
  return {
    subscriptions: subscriptions.map((row) => ({
      email: row.email,
      consent: row.consent,
      page: row.source,
      askedAt: row.asked_at.toISOString(),
      askedFrom: row.asked_network,
      confirmedAt: row.confirmed_at?.toISOString() ?? null,
      confirmedFrom: row.confirmed_network,
    })),
    issues: issues.map(({ subject, sent_at }) => ({ subject, sentAt: sent_at.toISOString() })),
  };
}
