import { z } from 'zod';
import { variable } from './described-variable.server.ts';
import { count, flag, keyValues, number, text, url } from './variable-kinds.server.ts';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Names, meanings and defaults follow the OpenTelemetry specification. */
export const traces = {
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(url().optional(), {
    group: 'Traces',
    about:
      'Address of an OpenTelemetry collector that accepts OTLP over HTTP; /v1/traces is added. Unset: tracing is off.',
    example: 'http://127.0.0.1:4318',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: variable(url().optional(), {
    group: 'Traces',
    about: 'The same for traces only, with the full path; takes precedence over OTEL_EXPORTER_OTLP_ENDPOINT.',
    example: 'https://collector.example.com/v1/traces',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: variable(keyValues().optional(), {
    group: 'Traces',
    about: 'Headers that the collector requires: NAME=VALUE, separated by commas, percent-encoded.',
    example: 'authorization=Bearer%20KEY',
    secret: true,
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: variable(
    z
      .enum(['http/protobuf', 'http/json'], { error: 'must be http/protobuf or http/json' })
      .default('http/protobuf'),
    { group: 'Traces', about: 'http/protobuf or http/json; grpc is not supported.' },
  ),
  OTEL_EXPORTER_OTLP_TIMEOUT: variable(
    number()
      .int('must be a whole number')
      .min(100, 'must be 100 or more')
      .max(60_000, 'must be 60000 or less')
      .default(10_000),
    {
      group: 'Traces',
      about: 'Milliseconds to wait for the collector to accept a batch before dropping it.',
    },
  ),
  OTEL_BSP_SCHEDULE_DELAY: variable(
    number()
      .int('must be a whole number')
      .min(50, 'must be 50 or more')
      .max(60_000, 'must be 60000 or less')
      .default(5_000),
    { group: 'Traces', about: 'Milliseconds between batches.' },
  ),
  OTEL_BSP_MAX_QUEUE_SIZE: variable(count(2_048), {
    group: 'Traces',
    about: 'How many spans can wait for the next batch, about 1 KB each; more are dropped.',
  }),
  OTEL_SERVICE_NAME: variable(text(), {
    group: 'Traces',
    about: 'Name of the site in traces. Unset: ai-tools-site.',
    example: 'my-site',
  }),
  OTEL_RESOURCE_ATTRIBUTES: variable(keyValues().optional(), {
    group: 'Traces',
    about: 'Extra attributes for each trace: NAME=VALUE, separated by commas, percent-encoded.',
    example: 'deployment.environment.name=production',
  }),
  OTEL_TRACES_SAMPLER: variable(
    z.enum(samplers, { error: `must be one of ${samplers.join(', ')}` }).default('parentbased_always_on'),
    { group: 'Traces', about: `Which traces are sent: ${samplers.join(', ')}.` },
  ),
  OTEL_TRACES_SAMPLER_ARG: variable(
    number().min(0, 'must be 0 or more').max(1, 'must be 1 or less').default(1),
    { group: 'Traces', about: 'Share of traces for a ratio sampler, such as 0.1.', example: '0.1' },
  ),
  OTEL_SDK_DISABLED: variable(flag().optional(), {
    group: 'Traces',
    about: 'true turns tracing off, whatever else is set.',
    example: 'false',
  }),
};
