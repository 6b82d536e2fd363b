import type { Config } from '#platform/config/config.server.ts';
import { tracesCollector } from '#platform/tracing/traces-collector.server.ts';
import { describeUnreachable } from './describe-unreachable.ts';
import { type Finding, notSet, ok, wrong } from './finding.ts';

const ABOUT = 'Traces';

/** Limit, because the operator is waiting for the doctor. */
const ANSWER_MS = 10_000;

function describeProblem(status: number, name: string): string | null {
  if (status >= 200 && status < 300) return null;
  if (status === 401 || status === 403)
    return `The collector rejected OTEL_EXPORTER_OTLP_HEADERS (status ${status}). Check the key in it.`;
  if (status === 404 || status === 405)
    return `${name} does not accept traces (status ${status}). Check its port and path; OTLP over HTTP usually uses port 4318.`;
  if (status === 400 || status === 415)
    return `The collector can't read the traces (status ${status}). Set OTEL_EXPORTER_OTLP_PROTOCOL to the other value.`;
  return `The collector is having problems (status ${status}). Check its log; traces are dropped until it recovers.`;
}

/** Sends a batch without spans. */
export async function checkTraces(config: Config): Promise<Finding> {
  const { OTEL_EXPORTER_OTLP_TIMEOUT: ms, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesEndpoint } = config;
  const collector = tracesCollector({ ...config, OTEL_EXPORTER_OTLP_TIMEOUT: Math.min(ms, ANSWER_MS) });
  if (!collector)
    return notSet(
      ABOUT,
      'Tracing is off. To send traces to an OpenTelemetry collector, set OTEL_EXPORTER_OTLP_ENDPOINT.',
    );
  const name = tracesEndpoint ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT';
  try {
    const emptyBatch = collector.protocol === 'http/json' ? '{"resourceSpans":[]}' : '';
    const problem = describeProblem(await collector.post(Buffer.from(emptyBatch)), name);
    return problem ? wrong(ABOUT, problem) : ok(ABOUT, `${collector.url.host} accepts traces.`);
  } catch (error) {
    return wrong(ABOUT, describeUnreachable(error, name, 'a collector'));
  } finally {
    collector.close();
  }
}
