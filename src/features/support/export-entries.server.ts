import { z } from 'zod';
import type { ExportEntries } from '#platform/data-export.server.ts';
import { database } from '#platform/database/database.server.ts';
import { everyRow } from '#platform/database/page.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { type SentRow, sentAfter } from './contact/message-store.server.ts';
import { consentWordings } from './newsletter/consent-wordings.ts';
import { findSentIssues, findSubscriptions } from './newsletter/newsletter-privacy-store.server.ts';

const MESSAGES = 100;
const time = z.iso.datetime();

export const supportExportEntries = {
  json: {
    supportMessages: {
      schema: z
        .array(
          z.object({
            reference: z.string(),
            about: z.string(),
            name: z.string(),
            email: z.string(),
            message: z.string(),
            createdAt: time,
            doneAt: time.nullable().describe('When it was seen to; it is erased 24 months later'),
          }),
        )
        .describe('What was sent to support while signed in'),
      // A guest's message under the user's address may be from someone else, who mistyped their own.
      async *read({ userId }: UserActor) {
        const read = (last: SentRow | null, size: number) =>
          sentAfter(database(), userId, last?.reference ?? '', size);
        for await (const row of everyRow(MESSAGES, read)) yield { ...row, about: row.kind };
      },
    },
    newsletter: {
      schema: z.object({
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
      }),
      async read({ userId }: UserActor) {
        const subscriptions = (await findSubscriptions(database(), userId)).map((row) => ({
          ...row,
          consent: consentWordings[row.wording] ?? '',
          page: row.source,
          askedFrom: row.asked_network,
          confirmedFrom: row.confirmed_network,
        }));
        return { subscriptions, issues: await findSentIssues(database(), userId) };
      },
    },
  },
} satisfies ExportEntries;
