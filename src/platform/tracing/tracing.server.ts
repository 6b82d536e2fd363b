/** From code and configuration alone: no word of a person, address, key or session. */
export type SpanAttributes = Record<string, string | number | boolean | null | undefined>;

export interface SpanStart {
  /** Default: internal. */
  kind?: 'internal' | 'server' | 'client' | 'consumer';
  attributes?: SpanAttributes;
  /** A W3C traceparent; null begins a trace. Default: the active span, if there is one. */
  parent?: string | null;
}

export interface Span {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Once; `failure` is a short name from code. */
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

/** What is not sent by then is lost. */
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

/** Of the active span, for work that another process or a later moment does. */
export function traceparent(): string | undefined {
  const active = tracer?.active();
  return active && `00-${active.traceId}-${active.spanId}-${active.sampled ? '01' : '00'}`;
}

/** Names of code; a message may hold a person's words. */
const shortName = /^[\w.-]{1,64}$/;

export function failureName(error: unknown): string {
  const { kind, failure, code, name } = (error ?? {}) as Record<string, unknown>;
  const known = [kind, failure, code, name].find((each) => typeof each === 'string' && shortName.test(each));
  return (known as string | undefined) ?? 'error';
}

/** A refusal is what a person is told, no failure. */
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

const ofDatabase = { 'db.system.name': 'postgresql' };

/** Of work that is traced itself: the database has much to do by the clock that would tell nothing. */
export function tracedQuery<T>(name: string, work: () => Promise<T>): Promise<T> {
  return tracer?.active() ? traced(name, { kind: 'client', attributes: ofDatabase }, work) : work();
}
