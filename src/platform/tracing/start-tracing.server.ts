import type { Config } from '../config/config.server.ts';
import { tracesCollector } from './traces-collector.server.ts';
import { setTracer } from './tracing.server.ts';

/** Loads OpenTelemetry only if a collector is configured. */
export async function startTracing(config: Config, version: string): Promise<void> {
  const collector = tracesCollector(config);
  if (!collector) return;
  const { openTelemetry } = await import('./open-telemetry.server.ts');
  setTracer(openTelemetry(config, collector, version));
}
