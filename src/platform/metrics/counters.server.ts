import { Counter, Histogram } from 'prom-client';

const requests = new Counter({
  name: 'http_requests_total',
  help: 'Requests by status class and by what was asked for',
  labelNames: ['status', 'kind'],
});
const requestSeconds = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time to the head of the answer',
  labelNames: ['kind'],
  buckets: [0.005, 0.02, 0.05, 0.1, 0.5, 2, 10],
});
const siteLimits = new Counter({
  name: 'site_limit_total',
  help: 'Requests above the limit of the whole site, by what they asked for and what became of them',
  labelNames: ['kind', 'outcome'],
});
const jobRuns = new Counter({
  name: 'site_job_runs_total',
  help: 'Runs of jobs by queue; given_up is a job whose last try has failed',
  labelNames: ['queue', 'outcome'],
});
const mails = new Counter({
  name: 'site_mails_total',
  help: 'Mails by the response of the mail server: rejected is a refusal of this mail, failed any other error',
  labelNames: ['outcome'],
});
const pushes = new Counter({
  name: 'site_pushes_total',
  help: 'Notifications by the response of the push service: gone is an ended subscription, rejected a refusal, failed any other error',
  labelNames: ['outcome'],
});

const kinds = ['page', 'api', 'file', 'health'] as const;
type RequestKind = (typeof kinds)[number];
const healthPaths = new Set(['/healthz', '/readyz', '/version', '/metrics']);

export function kindOfRequest(path: string): RequestKind {
  if (healthPaths.has(path)) return 'health';
  if (path.startsWith('/api/') || path.startsWith('/v1/')) return 'api';
  return path.startsWith('/assets/') || /\.[a-z0-9]{2,5}$/.test(path) ? 'file' : 'page';
}

const limitKinds = ['contact', 'newsletter', 'oauth-start', 'sign-in-code', 'sign-in-mail'] as const;
export type SiteLimitKind = (typeof limitKinds)[number];
const limitOutcomes = ['passed', 'waits'] as const;
const jobOutcomes = ['completed', 'failed', 'given_up'] as const;
const mailOutcomes = ['sent', 'rejected', 'failed'] as const;
const pushOutcomes = ['sent', 'gone', 'rejected', 'failed'] as const;

// A counter that first appears with its first event would show no increase to an alert.
for (const outcome of mailOutcomes) mails.inc({ outcome }, 0);
for (const outcome of pushOutcomes) pushes.inc({ outcome }, 0);
for (const kind of limitKinds) for (const outcome of limitOutcomes) siteLimits.inc({ kind, outcome }, 0);
for (const kind of kinds) {
  requestSeconds.zero({ kind });
  for (const status of ['2xx', '3xx', '4xx', '5xx']) requests.inc({ status, kind }, 0);
}

export function countRequest(path: string, status: number, durationMs: number): void {
  const kind = kindOfRequest(path);
  requests.inc({ status: `${Math.floor(status / 100)}xx`, kind });
  requestSeconds.observe({ kind }, durationMs / 1000);
}

export function countSiteLimit(kind: SiteLimitKind, outcome: (typeof limitOutcomes)[number]): void {
  siteLimits.inc({ kind, outcome });
}

export function startCountingJob(queue: string): void {
  for (const outcome of jobOutcomes) jobRuns.inc({ queue, outcome }, 0);
}

export function countJob(queue: string, outcome: (typeof jobOutcomes)[number]): void {
  jobRuns.inc({ queue, outcome });
}

export function countMail(outcome: (typeof mailOutcomes)[number]): void {
  mails.inc({ outcome });
}

export function countPush(outcome: (typeof pushOutcomes)[number]): void {
  pushes.inc({ outcome });
}
