import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { log } from '../log.server.ts';
import type { Collector } from './traces-collector.server.ts';
import { failureName } from './tracing.server.ts';

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/** Values of OpenTelemetry's ExportResultCode. */
const SENT: ExportResult = { code: 0 };
const LOST: ExportResult = { code: 1 };

/** Sends each batch once by OTLP over HTTP; a batch that the collector does not accept is dropped. */
export class CollectorExporter implements SpanExporter {
  readonly #collector: Collector;
  #failing = false;

  constructor(collector: Collector) {
    this.#collector = collector;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#send(spans).then(
      () => {
        if (this.#failing) log.info('traces are sent again');
        this.#failing = false;
        done(SENT);
      },
      (error: unknown) => {
        if (!this.#failing)
          log.warn(
            { kind: failureName(error) },
            'traces cannot be sent; dropping them until they can be sent again',
          );
        this.#failing = true;
        done(LOST);
      },
    );
  }

  async #send(spans: ReadableSpan[]): Promise<void> {
    const json = this.#collector.protocol === 'http/json';
    const body = (json ? JsonTraceSerializer : ProtobufTraceSerializer).serializeRequest(spans);
    const status = await this.#collector.post(body ?? new Uint8Array());
    if (status < 200 || status > 299)
      throw Object.assign(new Error('The collector refused.'), { kind: `status_${status}` });
  }

  async shutdown(): Promise<void> {
    this.#collector.close();
  }
}
