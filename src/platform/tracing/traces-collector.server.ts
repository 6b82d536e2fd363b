import type { Config } from '../config/config.server.ts';
import { createOutbound } from '../outbound/outbound.server.ts';

export interface Collector {
  url: URL;
  protocol: Config['OTEL_EXPORTER_OTLP_PROTOCOL'];
  /** @returns the HTTP status. @throws OutboundRefused, OutboundFailed */
  post(body: Uint8Array): Promise<number>;
  close(): void;
}

/** As OTLP specifies: the general address gets the path of the signal, the one for traces is used unchanged. */
function addressOf(config: Config): URL | null {
  if (config.OTEL_SDK_DISABLED) return null;
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesEndpoint, OTEL_EXPORTER_OTLP_ENDPOINT: base } = config;
  if (tracesEndpoint) return new URL(tracesEndpoint);
  if (!base) return null;
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
  return url;
}

/** Limit for the response; it has a few bytes for a batch of 512 spans. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** The configured destination for traces, or null. */
export function tracesCollector(config: Config): Collector | null {
  const url = addressOf(config);
  if (!url) return null;
  const protocol = config.OTEL_EXPORTER_OTLP_PROTOCOL;
  const headers = {
    ...config.OTEL_EXPORTER_OTLP_HEADERS,
    'content-type': protocol === 'http/json' ? 'application/json' : 'application/x-protobuf',
  };
  const ms = config.OTEL_EXPORTER_OTLP_TIMEOUT;
  // Collectors are often in a private network, so any address is permitted. The separate connections keep one that
  // hangs from delaying other requests.
  const client = createOutbound({ origins: [url.origin], permitted: () => true });
  return {
    url,
    protocol,
    async post(body) {
      const bounds = {
        connectMs: Math.min(ms, 2_500),
        firstByteMs: ms,
        totalMs: ms,
        maxBytes: MAX_ANSWER_BYTES,
      };
      const response = await client.request(url, { method: 'POST', headers, body, ...bounds });
      response.release();
      return response.status;
    },
    close: () => client.close(),
  };
}
