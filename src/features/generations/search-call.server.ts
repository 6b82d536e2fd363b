import { randomUUID } from 'node:crypto';
import { asyncCommitDatabase } from '#platform/database/database.server.ts';
import { storeCallEnd } from './call-records.server.ts';
import type { RunContext } from './engine.server.ts';
import { GatewayError } from './gateway/gateway-error.ts';
import { checkCap } from './model-calls.server.ts';
import { processName } from './process-name.server.ts';
import { openCall } from './store.server.ts';

interface SearchCall {
  context: RunContext;
  /** The search service; stored in place of a call's model. */
  engine: string;
  costMicros: number;
}

/**
 * Records a web search by a service other than the gateway as a call, which counts towards the daily cap and the
 * operator's sums. @throws what `search` throws; RunFailure at the daily cap.
 */
export async function recordSearch<Found>(
  { context: { generationId, signal }, engine, costMicros }: SearchCall,
  search: () => Promise<Found>,
): Promise<Found> {
  await checkCap();
  const cost = { micros: costMicros, estimated: true };
  const row = { id: randomUUID(), generationId, purpose: 'web-search', model: engine, cost };
  if (!(await openCall(asyncCommitDatabase(), row, processName)))
    throw new GatewayError('aborted', 'The run was closed before the call');
  const startedAt = performance.now();
  const end = (outcome: string) =>
    storeCallEnd({
      id: row.id,
      outcome,
      httpStatus: null,
      promptTokens: null,
      completionTokens: null,
      cost,
      upstreamId: null,
      answeredBy: null,
      durationMs: Math.round(performance.now() - startedAt),
    });
  try {
    const found = await search();
    await end('stop');
    return found;
  } catch (error) {
    await end(signal.aborted ? 'aborted' : 'failed');
    throw error;
  }
}
