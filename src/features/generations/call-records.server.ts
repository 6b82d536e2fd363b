import { asyncCommitDatabase } from '#platform/database/database.server.ts';
import type { Statement } from '#platform/database/sql.server.ts';
import { log } from '#platform/log.server.ts';
import type { Cost } from './model-cost.server.ts';
import { type EndedCall, endCall, endCallAfter, storeCosts } from './store.server.ts';

/** Costs of open calls, by the call's id, that the next flush of the run log stores. */
const unstoredCosts = new Map<string, Cost>();

/** Stores what the call has cost so far, unless it ends before the next flush of the run log. */
export function storeCostLater(id: string, cost: Cost): void {
  unstoredCosts.set(id, cost);
}

/** Keeps costs that could not be stored for the next flush. Never rejects, because the rest of the log must go on. */
export async function flushCosts(): Promise<void> {
  const costs = [...unstoredCosts];
  if (costs.length === 0) return;
  try {
    await storeCosts(asyncCommitDatabase(), costs);
    for (const [id] of costs) unstoredCosts.delete(id);
  } catch (error) {
    log.warn({ error }, 'the costs of open gateway calls could not be stored yet');
  }
}

/** Retries while the database is unavailable, because the day's cost is the sum of these rows. */
export async function storeCallEnd(call: EndedCall, attempt = 0): Promise<void> {
  unstoredCosts.delete(call.id);
  try {
    await endCall(asyncCommitDatabase(), call);
  } catch (error) {
    log.warn({ error, call: call.id, attempt }, 'the end of a gateway call could not be recorded yet');
    if (attempt >= 8) return;
    setTimeout(() => void storeCallEnd(call, attempt + 1), 500 * 2 ** attempt).unref();
  }
}

/** Holds the end of a run's last call, which the statement that closes the run stores too. */
export class HeldCallEnd {
  #call: EndedCall | null = null;

  /** Stores the end of an earlier call, if one is held. */
  async hold(call: EndedCall): Promise<void> {
    const earlier = this.#call;
    this.#call = call;
    unstoredCosts.delete(call.id);
    if (earlier) await storeCallEnd(earlier);
  }

  /** Stores it by itself: the run makes another call, or is not closed here. */
  async store(): Promise<void> {
    const call = this.#call;
    this.#call = null;
    if (call) await storeCallEnd(call);
  }

  /** Adds it to the statement that closes the run. */
  addTo(closing: Statement): Statement {
    return this.#call ? endCallAfter(closing, this.#call) : closing;
  }
}
