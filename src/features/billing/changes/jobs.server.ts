import { defineJob } from '../../../platform/jobs/jobs.server.ts';
import { settleRefunds } from './refunds/service.server.ts';

/** Makes the job of refunds known: those that the provider left open are settled. */
export function registerChangeJobs(): void {
  defineJob({ name: 'settle-refunds', cron: '*/3 * * * *', seconds: 600, run: settleRefunds });
}
