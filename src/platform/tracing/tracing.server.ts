/** Only values from code and configuration: no text of a person, no address, key or session. */
export type SpanAttributes = Record<string, string | number | boolean | null | undefined>;

export interface SpanStart {
  /** Default: internal. */
  kind?: 'internal' | 'server' | 'client' | 'consumer';
  attributes?: SpanAttributes;
  /** A W3C traceparent; null starts a new trace. Default: the active span, if there is one. */
  parent?: string | null;
}

export interface Span {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Only the first call counts; `failure` is a short name from code. */
  end(failure?: string): void;
}

export interface Tracer {
  start(name: string, start: SpanStart): Span;
  within<T>(span: Span, work: () => T): T;
  active(): { traceId: string; spanId: string; sampled: boolean } | undefined;
  stop(): Promise<void>;
}

const unrecorded: Span = { rename() {}, set() {}, end() {} };

let tracer: Tracer | undefined;

export function setTracer(next: Tracer): void {
  tracer = next;
}

/** Sends what it can in limited time; later spans are lost. */
export async function stopTracing(): Promise<void> {
  await tracer?.stop();
  tracer = undefined;
}

export const isTracing = (): boolean => tracer !== undefined;

export const startSpan = (name: string, start: SpanStart = {}): Span =>
  tracer ? tracer.start(name, start) : unrecorded;

export const withinSpan = <T>(span: Span, work: () => T): T =>
  tracer && span !== unrecorded ? tracer.within(span, work) : work();

export const activeTrace = () => tracer?.active();

/** The W3C traceparent of the active span, for work in another process or at a later time. */
export function traceparent(): string | undefined {
  const active = tracer?.active();
  return active && `00-${active.traceId}-${active.spanId}-${active.sampled ? '01' : '00'}`;
}

/** Matches names from code; messages are excluded, because they may contain a person's text. */
const shortName = /^[\w.-]{1,64}$/;

export function failureName(error: unknown): string {
  const { kind, failure, code, name } = (error ?? {}) as Record<string, unknown>;
  const known = [kind, failure, code, name].find((each) => typeof each === 'string' && shortName.test(each));
  return (known as string | undefined) ?? 'error';
}

/** The code of a refusal, which is a normal answer and not a failure; null for other errors. */
function refusalOf(error: unknown): string | null {
  const { name, code, status } = (error ?? {}) as { name?: unknown; code?: unknown; status?: unknown };
  return name === 'Problem' && Number(status) < 500 ? String(code) : null;
}

export async function traced<T>(
  name: string,
  start: SpanStart,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  if (!tracer) return work(unrecorded);
  const span = tracer.start(name, start);
  try {
    const result = await tracer.within(span, () => work(span));
    span.end();
    return result;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) span.set({ 'site.refusal': refusal });
    span.end(refusal ? undefined : failureName(error));
    throw error;
  }
}

const databaseAttributes = { 'db.system.name': 'postgresql' };

/** Traces queries only inside traced work, because the database's periodic queries would fill the traces. */
export function tracedQuery<T>(name: string, work: () => Promise<T>): Promise<T> {
  return tracer?.active() ? traced(name, { kind: 'client', attributes: databaseAttributes }, work) : work();
}
