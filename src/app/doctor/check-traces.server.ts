import type { Config } from '#platform/config/config.server.ts';
import { tracesCollector } from '#platform/tracing/traces-collector.server.ts';
import { type Finding, notSet, ok, wrong } from './finding.ts';
import { unreached } from './unreached.ts';

const ABOUT = 'Traces';

/** Somebody waits for the doctor. */
const ANSWER_MS = 10_000;

function refused(status: number, name: string): string | null {
  if (status >= 200 && status < 300) return null;
  if (status === 401 || status === 403)
    return `The collector refuses OTEL_EXPORTER_OTLP_HEADERS (status ${status}): correct the key in it.`;
  if (status === 404 || status === 405)
    return `${name} takes no traces (status ${status}): correct its port and path; OTLP over HTTP has port 4318 mostly.`;
  if (status === 400 || status === 415)
    return `The collector does not read what it gets (status ${status}): set OTEL_EXPORTER_OTLP_PROTOCOL to the other one.`;
  return `The collector is not well (status ${status}): look at its log; traces are dropped meanwhile.`;
}

/** Sends a batch without a span in it. */
export async function traces(config: Config): Promise<Finding> {
  const { OTEL_EXPORTER_OTLP_TIMEOUT: ms, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = config;
  const collector = tracesCollector({ ...config, OTEL_EXPORTER_OTLP_TIMEOUT: Math.min(ms, ANSWER_MS) });
  if (!collector)
    return notSet(ABOUT, 'None are made; OTEL_EXPORTER_OTLP_ENDPOINT names a collector of OpenTelemetry.');
  const name = own ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT';
  try {
    const empty = collector.protocol === 'http/json' ? '{"resourceSpans":[]}' : '';
    const problem = refused(await collector.post(Buffer.from(empty)), name);
    return problem ? wrong(ABOUT, problem) : ok(ABOUT, `${collector.url.host} takes them.`);
  } catch (error) {
    return wrong(ABOUT, unreached(error, name, 'a collector'));
  } finally {
    collector.close();
  }
}
