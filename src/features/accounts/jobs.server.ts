import { z } from 'zod';
import { sweepRateLimits } from '#platform/http/rate-limit.server.ts';
import { defineJob } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { SEND_KEY_MAIL, sendKeyMail } from './api-keys/api-keys.server.ts';
import { providerNames } from './contract.ts';
import { SEND_DELETION_MAIL, sendDeletionMail } from './deletion/account-deletion.server.ts';
import { SEND_LINKED_MAIL, sendLinkedMail } from './identities/link-identity.server.ts';
import { sweepAttempts } from './oauth/oauth-flow.server.ts';
import { sweepSessions } from './sessions/sessions.server.ts';
import { sweepRestoreOffers } from './sign-in/complete-sign-in.server.ts';
import { SEND_MAIL, sendSignInMail, sweepSignIns } from './sign-in/email-sign-in.server.ts';

export function registerAccountJobs(): void {
  defineJob({ name: SEND_MAIL, schema: z.object({ signInId: z.uuid() }), run: sendSignInMail });
  defineJob({ name: SEND_DELETION_MAIL, schema: z.object({ userId: z.uuid() }), run: sendDeletionMail });
  defineJob({
    name: SEND_LINKED_MAIL,
    schema: z.object({ userId: z.uuid(), provider: z.enum(providerNames) }),
    run: sendLinkedMail,
  });
  defineJob({
    name: SEND_KEY_MAIL,
    schema: z.object({ userId: z.uuid(), name: z.string() }),
    run: sendKeyMail,
  });
  defineJob({
    name: 'sweep-accounts',
    cron: '17 * * * *',
    async run() {
      const [signIns, attempts, offers, sessions, limits] = await Promise.all([
        sweepSignIns(),
        sweepAttempts(),
        sweepRestoreOffers(),
        sweepSessions(),
        sweepRateLimits(),
      ]);
      log.info({ signIns, attempts, offers, sessions, limits }, 'removed what had run out');
    },
  });
}
