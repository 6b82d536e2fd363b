import { collectDefaultMetrics, Gauge, register } from 'prom-client';

/** Gauges whose names end as those of counters do, which Prometheus' own check refuses. */
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
  /** Asked at each scrape; a series that is not among its answer is not shown. */
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
      // Without labels a gauge would show 0 where nothing is known.
      if (labels.length === 0 && samples.length === 0) this.remove();
      for (const { value, labels: of = {} } of samples) this.set(of, value);
    },
  });
}

const refreshers: Array<() => Promise<void>> = [];

/** What gauges read that must be fetched first, once a scrape. It must end in time and never throw. */
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
