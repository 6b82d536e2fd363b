import { Counter, Histogram } from 'prom-client';
import { features as tools } from '#features/credits/contract.ts';
import { config, imageGateway } from '#platform/config/config.server.ts';
import { defineGauge } from '#platform/metrics/registry.server.ts';
import { chatModels } from '#shared/chat-models.ts';
import { GatewayError, type GatewayErrorKind } from './gateway/gateway-error.ts';
import type { Cost } from './model-cost.server.ts';
import type { EndState } from './run-outcome.server.ts';

const runs = new Counter({
  name: 'site_runs_total',
  help: 'Runs by tool and by how they ended',
  labelNames: ['tool', 'end'],
});
const runSeconds = new Histogram({
  name: 'site_run_duration_seconds',
  help: 'Time from the start of a run in this process to its end',
  labelNames: ['tool'],
  buckets: [1, 2.5, 5, 10, 30, 60, 120, 300, 900],
});
const callSeconds = new Histogram({
  name: 'site_gateway_call_duration_seconds',
  help: 'Calls of the gateway by model and outcome, from the request to the last byte',
  labelNames: ['model', 'outcome'],
  buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
});
const firstTextSeconds = new Histogram({
  name: 'site_gateway_first_text_seconds',
  help: 'Time from the request to the first text of a streamed reply',
  labelNames: ['model'],
  buckets: [0.25, 0.5, 1, 2, 5, 10, 20, 40, 80, 160],
});
const tokens = new Counter({
  name: 'site_gateway_tokens_total',
  help: 'Tokens as the gateway reports them',
  labelNames: ['model', 'direction'],
});
const cost = new Counter({
  name: 'site_gateway_cost_usd_total',
  help: 'US dollars by whether the gateway said so or tokens and prices did',
  labelNames: ['model', 'basis'],
});

const callOutcomes = [
  'answered',
  'stopped',
  'declined',
  'unreachable',
  'timeout',
  'rate_limited',
  'unauthorized',
  'payment',
  'failed',
] as const;
type CallOutcome = (typeof callOutcomes)[number];

const outcomeOfKind: Partial<Record<GatewayErrorKind, CallOutcome>> = {
  refused: 'unreachable',
  timeout_first_byte: 'timeout',
  timeout_idle: 'timeout',
  timeout_total: 'timeout',
  rate_limited: 'rate_limited',
  unauthorized: 'unauthorized',
  payment: 'payment',
  aborted: 'stopped',
};

/** `declined` is caused by the person, such as by an overlong text; `failed` is everything without a name here. */
function outcomeOf(error: unknown): CallOutcome {
  if (error === undefined) return 'answered';
  if (!(error instanceof GatewayError)) return 'failed';
  return outcomeOfKind[error.kind] ?? (error.blame === 'user' ? 'declined' : 'failed');
}

const ends: readonly EndState[] = ['done', 'stopped', 'failed', 'interrupted'];

const configuredModels = () =>
  new Set([
    config().LLM_MODEL,
    imageGateway(config()).model,
    ...[config().TRANSCRIPTION_MODEL].filter((model) => model !== undefined),
    ...chatModels().map(({ id }) => id),
  ]);
/** Only configured models become labels, so that the label has few values. */
const modelLabel = (model: string) => (configuredModels().has(model) ? model : 'other');

interface Waiting {
  model: string;
  startedAt: number;
}

const waiting = new Set<Waiting>();

function longestWaits(): Map<string, number> {
  const now = performance.now();
  const longest = new Map([[config().LLM_MODEL, 0]]);
  for (const { model, startedAt } of waiting)
    longest.set(model, Math.max(longest.get(model) ?? 0, (now - startedAt) / 1000));
  return longest;
}

export interface FirstTextTimer {
  arrived(): void;
  /** Called at the end of the call, with or without text. */
  ended(): void;
}

export function timeFirstText(model: string): FirstTextTimer {
  const entry = { model: modelLabel(model), startedAt: performance.now() };
  waiting.add(entry);
  return {
    arrived() {
      if (waiting.delete(entry))
        firstTextSeconds.observe({ model: entry.model }, (performance.now() - entry.startedAt) / 1000);
    },
    ended: () => void waiting.delete(entry),
  };
}

interface EndedCall {
  model: string;
  /** Undefined if the call was answered. */
  error: unknown;
  durationMs: number;
  promptTokens: number | null;
  completionTokens: number | null;
  cost: Cost;
}

export function countCall(call: EndedCall): void {
  const model = modelLabel(call.model);
  callSeconds.observe({ model, outcome: outcomeOf(call.error) }, call.durationMs / 1000);
  tokens.inc({ model, direction: 'prompt' }, call.promptTokens ?? 0);
  tokens.inc({ model, direction: 'completion' }, call.completionTokens ?? 0);
  const { micros, estimated } = call.cost;
  if (micros !== null) cost.inc({ model, basis: estimated ? 'estimated' : 'reported' }, micros / 1e6);
}

/** `startedAt` by performance.now(), null if another process started the run. */
export function countRun(tool: string, end: EndState, startedAt: number | null): void {
  runs.inc({ tool, end });
  if (startedAt !== null) runSeconds.observe({ tool }, (performance.now() - startedAt) / 1000);
}

/** Starts every series at 0, because one that first appears with its first event shows no increase to an alert. */
export function startRunMetrics(): void {
  for (const tool of tools) {
    for (const end of ends) runs.inc({ tool, end }, 0);
    runSeconds.zero({ tool });
  }
  for (const model of configuredModels()) {
    for (const outcome of callOutcomes) callSeconds.zero({ model, outcome });
    for (const direction of ['prompt', 'completion']) tokens.inc({ model, direction }, 0);
    for (const basis of ['reported', 'estimated']) cost.inc({ model, basis }, 0);
  }
  firstTextSeconds.zero({ model: config().LLM_MODEL });
  defineGauge({
    name: 'site_gateway_first_text_wait_seconds',
    help: 'How long the longest of the streamed calls without text has waited',
    labels: ['model'],
    read: () => [...longestWaits()].map(([model, value]) => ({ labels: { model }, value })),
  });
}
