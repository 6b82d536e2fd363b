import type { Feature } from '#features/credits/contract.ts';
import { close } from '#features/credits/service.server.ts';
import { database } from '#platform/database/database.server.ts';
import type { Statement } from '#platform/database/sql.server.ts';
import { log } from '#platform/log.server.ts';
import { withinSpan } from '#platform/tracing/tracing.server.ts';
import type { HeldCallEnd } from './call-records.server.ts';
import { type FinishReason, type GenerationView, isRunning } from './contract.ts';
import { type FailureTexts, failureText, registerFailures } from './failure-text.server.ts';
import { ALL_UNITS, addLive, type LiveRun, removeLive } from './live-runs.server.ts';
import { announceRunEnd } from './run-ends.server.ts';
import { countRun } from './run-metrics.server.ts';
import {
  type ChargeBasis,
  closingOf,
  decideOutcome,
  type EndState,
  type RunResult,
  type WorkEnd,
} from './run-outcome.server.ts';
import { viewOf } from './run-subscriptions.server.ts';
import { ownGeneration, splitPrice } from './store.server.ts';
import { storeThinking } from './thinking.server.ts';

/** The model of a run, as configured when the run started. */
export interface RunModel {
  /** The gateway's name for the model. */
  id: string;
  /** Tokens per request; null: the site's CONTEXT_TOKENS. */
  context: number | null;
  seesImages: boolean;
  /** Reasons before it answers, within the token limit of the answer. */
  thinks: boolean;
  fallbacks: readonly string[];
}

export interface RunContext {
  generationId: string;
  userId: string;
  model: RunModel;
  /** Aborts on Stop, on shutdown and when another process takes the run over. */
  signal: AbortSignal;
  takeFirstCall(): string | null;
  heldCallEnd: HeldCallEnd;
  deliver(units?: number): void;
  markIncomplete(): void;
  /** Records that a fallback model has answered. */
  answeredBy(model: string): void;
  /** Exempts `credits` of the price from the charge, until the returned function is called. */
  chargeLater(credits: number): Promise<() => void>;
  /** Adds a piece of the model's thinking. */
  addThinking(piece: string): void;
}

export interface LaunchInput {
  payload: unknown;
  firstCall: string;
  model: RunModel;
  knownInput: unknown;
}

export interface Ending<P> {
  generationId: string;
  userId: string;
  payload: P;
  state: EndState;
  text: string;
  finish: FinishReason | null;
}

export interface Tool<P = unknown, Stored extends object = object> {
  feature: Feature;
  /**
   * `text` (default) keeps the whole charge once text has arrived; `units` charges what was delivered, and the text
   * then reports progress, one line of JSON per step.
   */
  charges?: ChargeBasis;
  /** The run's readers see the model's thinking, and it is stored with the text. */
  showsThinking?: boolean;
  /** Texts by the name under which the tool's RunFailures are stored. */
  failures?: FailureTexts;
  run(context: RunContext, payload: P, knownInput?: unknown): AsyncGenerator<string, RunResult, void>;
  /** `closing` yields one row, or none if the run was already closed; `after` gets the columns that this returns. */
  store(ending: Ending<P>, closing: Statement): Statement;
  after?(ending: Ending<P>, stored: Stored): Promise<void>;
}

const tools = new Map<string, Tool>();

export function registerTool<P, Stored extends object>(tool: Tool<P, Stored>): void {
  tools.set(tool.feature, tool as Tool);
  registerFailures(tool.failures ?? {});
}

export function toolOf(feature: string): Tool {
  const tool = tools.get(feature);
  if (!tool) throw new Error(`No tool is registered for ${feature}.`);
  return tool;
}

export function launch(run: LiveRun, input: LaunchInput): void {
  addLive(run);
  run.span.set({ 'gen_ai.request.model': input.model.id });
  withinSpan(run.span, () => execute(run, input)).catch((error) => {
    log.error({ error, generation: run.id }, 'a run could not be closed; the sweep will close it');
    removeLive(run);
    run.lose();
    void run.heldCallEnd.store();
  });
}

async function execute(run: LiveRun, input: LaunchInput): Promise<void> {
  const tool = toolOf(run.feature);
  const ended = await work(run, tool, input);
  if (run.ending === 'lost') return onLeaseLost(run);
  await storeThinking(run);
  await settle(run, tool, input.payload, ended);
}

async function work(run: LiveRun, tool: Tool, input: LaunchInput): Promise<WorkEnd> {
  let firstCall: string | null = input.firstCall;
  const context: RunContext = {
    generationId: run.id,
    userId: run.userId,
    model: input.model,
    signal: run.abort.signal,
    heldCallEnd: run.heldCallEnd,
    takeFirstCall() {
      const id = firstCall;
      firstCall = null;
      return id;
    },
    deliver(units = 1) {
      run.delivered += units;
    },
    markIncomplete() {
      run.incomplete = true;
    },
    answeredBy(model) {
      run.answeredBy = model;
    },
    async chargeLater(credits) {
      const remaining = credits === 0 ? null : await splitPrice(database(), run, credits);
      if (remaining !== null) run.maxUnits = remaining;
      return () => {
        run.maxUnits = ALL_UNITS;
      };
    },
    addThinking(piece) {
      if (tool.showsThinking) run.addThinking(piece);
    },
  };
  const steps = tool.run(context, input.payload, input.knownInput);
  try {
    for (;;) {
      const step = await steps.next();
      if (step.done) return { result: step.value };
      run.append(step.value);
    }
  } catch (error) {
    return { error };
  }
}

/** Retries, up to 60 times, until the database stores the end or another process has closed the run. */
async function settle(run: LiveRun, tool: Tool, payload: unknown, ended: WorkEnd): Promise<void> {
  const outcome = decideOutcome(run, ended, tool.charges);
  const ending: Ending<unknown> = {
    generationId: run.id,
    userId: run.userId,
    payload,
    state: outcome.state,
    text: run.text,
    finish: outcome.finish,
  };
  for (let attempt = 0; ; attempt++) {
    try {
      const row = closingOf(run, outcome, ended.result?.result);
      const closed = await close(database(), row, (closing) =>
        tool.store(ending, run.heldCallEnd.addTo(closing)),
      );
      if (!closed) return onLeaseLost(run);
      finish(
        run,
        {
          id: run.id,
          state: outcome.state,
          feature: run.feature,
          requestKey: run.key,
          creditsCharged: closed.charged,
          finishReason: outcome.finish,
          answeredBy: run.answeredBy,
          thoughtMs: run.thoughtMs,
          error: outcome.errorCode
            ? { code: outcome.errorCode, message: failureText(outcome.errorMessage ?? '') }
            : null,
        },
        closed.credits,
      );
      await tool
        .after?.(ending, closed)
        .catch((error: unknown) =>
          log.error({ error, generation: run.id }, 'follow-up work after a run failed'),
        );
      return;
    } catch (error) {
      log.warn({ error, generation: run.id, attempt }, 'the end of a run could not be stored yet');
      // By itself, in case the gateway's figures are what the database refuses.
      void run.heldCallEnd.store();
      if (attempt >= 60) {
        // Not ours any more: recovery closes the run once the database is back.
        removeLive(run);
        run.lose();
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, Math.min(2_000, 100 * 2 ** attempt)).unref());
    }
  }
}

const endedIds: string[] = [];

export function drainEnded(): string[] {
  return endedIds.splice(0);
}

function finish(
  run: LiveRun,
  view: Omit<GenerationView, 'text'> & { state: EndState },
  credits: number | null,
): void {
  removeLive(run);
  countRun(run.feature, view.state, run.startedAt);
  endedIds.push(run.id);
  run.finish(view, credits);
  announceRunEnd({ generationId: run.id, userId: run.userId, feature: run.feature, state: view.state });
}

async function onLeaseLost(run: LiveRun): Promise<void> {
  removeLive(run);
  await run.heldCallEnd.store();
  const row = await ownGeneration(database(), run.userId, run.id).catch(() => null);
  if (!row || isRunning(row.state)) return run.lose();
  run.text = row.text ?? '';
  run.finish(viewOf(row), null);
}
