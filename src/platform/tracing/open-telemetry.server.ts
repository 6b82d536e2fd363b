import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import {
  type Context,
  isSpanContextValid,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Config } from '../config/config.server.ts';
import { CollectorExporter } from './span-exporter.server.ts';
import type { Collector } from './traces-collector.server.ts';
import type { Span, SpanAttributes, SpanStart, Tracer } from './tracing.server.ts';

const BATCH = 512;
/** Time to send the remaining spans at exit; the other parts need most of the 10 s that a process has to stop. */
const STOP_MS = 1_500;

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: Config): Sampler {
  const root = name.endsWith('always_on')
    ? new AlwaysOnSampler()
    : name.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

/** Parses a W3C traceparent; later versions of the format may append fields. */
function parseTraceparent(parent: string): Context {
  const [, version, traceId = '', spanId = '', flags = '', rest] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(parent) ?? [];
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  const isKnown = version !== undefined && version !== 'ff' && (version !== '00' || rest === undefined);
  return isKnown && isSpanContextValid(spanContext)
    ? trace.setSpanContext(ROOT_CONTEXT, spanContext)
    : ROOT_CONTEXT;
}

const definedAttributes = (attributes: SpanAttributes = {}) =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value == null ? [] : [[name, value]])),
  );

class RecordedSpan implements Span {
  readonly context: Context;
  readonly #span: OtelSpan;
  #ended = false;

  constructor(span: OtelSpan, parent: Context) {
    this.#span = span;
    this.context = trace.setSpan(parent, span);
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(definedAttributes(attributes));
  }

  end(failure?: string): void {
    if (this.#ended) return;
    this.#ended = true;
    if (failure !== undefined) {
      this.#span.setAttribute('error.type', failure);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    // Otherwise the timer of the next batch would inherit, and keep, this async context.
    current.run(undefined, () => this.#span.end());
  }
}

const current = new AsyncLocalStorage<Context | undefined>();

function resourceOf(config: Config, version: string) {
  const { OTEL_RESOURCE_ATTRIBUTES: attributes, OTEL_SERVICE_NAME: name } = config;
  return defaultResource().merge(
    resourceFromAttributes({
      'service.name': 'ai-tools-site',
      'service.version': version,
      'service.instance.id': randomUUID(),
      ...attributes,
      ...(name ? { 'service.name': name } : {}),
    }),
  );
}

export function openTelemetry(config: Config, collector: Collector, version: string): Tracer {
  const queue = config.OTEL_BSP_MAX_QUEUE_SIZE;
  const provider = new TracerProvider({
    resource: resourceOf(config, version),
    sampler: samplerOf(config),
    spanLimits: { attributeValueLengthLimit: 200 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new CollectorExporter(collector),
        maxQueueSize: queue,
        maxExportBatchSize: Math.min(BATCH, queue),
        scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
        // Only a fallback: the exporter itself times out earlier.
        exportTimeoutMillis: config.OTEL_EXPORTER_OTLP_TIMEOUT + 1_000,
      }),
    ],
  });
  const tracer = provider.getTracer('site', version);
  return {
    start(name: string, { kind = 'internal', attributes, parent }: SpanStart) {
      const active = current.getStore() ?? ROOT_CONTEXT;
      const parentContext =
        parent === undefined ? active : parent === null ? ROOT_CONTEXT : parseTraceparent(parent);
      const options = { kind: kinds[kind], attributes: definedAttributes(attributes) };
      return new RecordedSpan(tracer.startSpan(name, options, parentContext), parentContext);
    },
    within: (span, work) => (span instanceof RecordedSpan ? current.run(span.context, work) : work()),
    active() {
      const context = current.getStore();
      const span = context && trace.getSpanContext(context);
      return span && { traceId: span.traceId, spanId: span.spanId, sampled: (span.traceFlags & 1) === 1 };
    },
    async stop() {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise((resolve) => {
        timer = setTimeout(resolve, STOP_MS);
      });
      await Promise.race([provider.shutdown().catch(() => undefined), timeout]);
      clearTimeout(timer);
      collector.close();
    },
  };
}
