import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client';

const requests = new Counter({
  name: 'http_requests_total',
  help: 'Requests by status class',
  labelNames: ['status'],
});
const seconds = new Histogram({
  name: 'http_request_seconds',
  help: 'Time to the head of the answer',
  buckets: [0.005, 0.02, 0.05, 0.1, 0.5, 2, 10],
});

const siteLimits = new Counter({
  name: 'site_limit_total',
  help: 'Requests above the limit of the whole site, by what they asked for and what became of them',
  labelNames: ['kind', 'outcome'],
});

export function startMetrics(gauges: Record<string, { help: string; read: () => number }>): void {
  collectDefaultMetrics();
  for (const [name, { help, read }] of Object.entries(gauges)) {
    new Gauge({
      name,
      help,
      collect() {
        this.set(read());
      },
    });
  }
}

export function countRequest(status: number, durationMs: number): void {
  requests.inc({ status: `${Math.floor(status / 100)}xx` });
  seconds.observe(durationMs / 1000);
}

export function countSiteLimit(kind: string, outcome: 'passed' | 'waits'): void {
  siteLimits.inc({ kind, outcome });
}

export const metricsText = (): Promise<string> => register.metrics();
export const metricsType: string = register.contentType;
