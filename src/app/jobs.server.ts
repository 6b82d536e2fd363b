import { registerAccountJobs } from '../features/accounts/jobs.server.ts';
import { registerChangeJobs } from '../features/billing/changes/jobs.server.ts';
import { registerCheckoutJobs } from '../features/billing/checkout/jobs.server.ts';
import { registerBillingJobs } from '../features/billing/jobs.server.ts';
import { registerBillingMailJobs } from '../features/billing/mails/jobs.server.ts';
import { registerBillingErasure } from '../features/billing/person/jobs.server.ts';
import { registerAttachmentJobs } from '../features/chat/attachments/jobs.server.ts';
import { registerChatJobs } from '../features/chat/jobs.server.ts';
import { registerCounterJobs } from '../features/counter/jobs.server.ts';
import { registerCreditJobs } from '../features/credits/jobs.server.ts';
import { registerGenerationJobs } from '../features/generations/jobs.server.ts';
import { registerImageJobs } from '../features/image/jobs.server.ts';
import { registerDocumentJobs } from '../features/pdf/jobs.server.ts';
import { registerPromptJobs } from '../features/prompts/jobs.server.ts';
import { registerContactJobs } from '../features/support/contact/jobs.server.ts';
import { registerNewsletterJobs } from '../features/support/newsletter/jobs.server.ts';
import { registerWorkJobs } from '../features/works/jobs.server.ts';
import { database } from '../platform/database/database.server.ts';
import { defineJob } from '../platform/jobs/jobs.server.ts';
import { log } from '../platform/log/log.server.ts';
import { audit } from './audit.server.ts';
import { erasePeople } from './erasure.server.ts';

/** Every job of the site; called before the jobs start. */
export function registerJobs(): void {
  registerAccountJobs();
  registerBillingJobs();
  registerBillingMailJobs();
  registerBillingErasure();
  registerChatJobs();
  registerAttachmentJobs();
  registerCounterJobs();
  registerCreditJobs();
  registerCheckoutJobs();
  registerChangeJobs();
  registerGenerationJobs();
  registerImageJobs();
  registerPromptJobs();
  registerWorkJobs();
  registerDocumentJobs();
  registerContactJobs();
  registerNewsletterJobs();
  defineJob({ name: 'erase-people', cron: '50 * * * *', seconds: 600, run: erasePeople });
  defineJob({
    name: 'audit',
    cron: '40 * * * *',
    async run() {
      for (const { id, says, violations } of await audit(database())) {
        if (violations.length > 0)
          log.error({ invariant: id, says, violations: violations.length }, 'an invariant is violated');
      }
    },
  });
}
