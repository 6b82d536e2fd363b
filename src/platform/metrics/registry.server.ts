import { collectDefaultMetrics, Gauge, register } from 'prom-client';

/** Gauges with names that end like counters, which Prometheus' own linter rejects. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

export interface Sample {
  value: number;
  labels?: Record<string, string>;
}

interface GaugeFamily {
  name: string;
  help: string;
  labels?: readonly string[];
  /** Called at each scrape; a series that it does not return is not reported. */
  read: () => Sample[];
}

export function defineGauge({ name, help, labels = [], read }: GaugeFamily): void {
  new Gauge({
    name,
    help,
    labelNames: [...labels],
    collect() {
      this.reset();
      const samples = read();
      // Without this, a gauge without labels would report 0 when nothing is known.
      if (labels.length === 0 && samples.length === 0) this.remove();
      for (const { value, labels: labelValues = {} } of samples) this.set(labelValues, value);
    },
  });
}

const refreshers: Array<() => Promise<void>> = [];

/** Registers a fetch of data that gauges read, run once per scrape. It must end in time and never throw. */
export function beforeScrape(refresh: () => Promise<void>): void {
  refreshers.push(refresh);
}

export function startMetrics(): void {
  collectDefaultMetrics();
  for (const name of MISNAMED) register.removeSingleMetric(name);
}

export async function metricsText(): Promise<string> {
  await Promise.all(refreshers.map((refresh) => refresh()));
  return register.metrics();
}

export const metricsType: string = register.contentType;
