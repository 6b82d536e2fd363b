import { z } from 'zod';
import { sweepRateLimits } from '../../platform/http/rate-limit.server.ts';
import { defineJob } from '../../platform/jobs/jobs.server.ts';
import { log } from '../../platform/log/log.server.ts';
import { providerNames } from './contract.ts';
import { SEND_DELETION_MAIL, sendDeletionMail } from './deletion/service.server.ts';
import { sweepRestoreOffers } from './entry/service.server.ts';
import { SEND_LINKED_MAIL, sendLinkedMail } from './identities/service.server.ts';
import { sweepAttempts } from './oauth/service.server.ts';
import { sweepSessions } from './sessions/service.server.ts';
import { deliverSignIn, SEND_MAIL, sweepSignIns } from './sign-in/service.server.ts';

/** Makes the jobs of accounts known: the mails of sign-ins, deletions and linked providers, and once an hour the removal of what has run out. */
export function registerAccountJobs(): void {
  defineJob({ name: SEND_MAIL, schema: z.object({ signInId: z.uuid() }), run: deliverSignIn });
  defineJob({ name: SEND_DELETION_MAIL, schema: z.object({ userId: z.uuid() }), run: sendDeletionMail });
  defineJob({
    name: SEND_LINKED_MAIL,
    schema: z.object({ userId: z.uuid(), provider: z.enum(providerNames) }),
    run: sendLinkedMail,
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
