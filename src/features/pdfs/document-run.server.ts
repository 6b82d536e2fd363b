import { type RunContext, startedRun, startRun, type Tool } from '#features/generations/service.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { cleanText } from '#shared/clean-text.ts';
import type { ProgressLine, StartedDocumentRun } from './contract.ts';
import { documentFailures } from './document-failures.server.ts';
import { ownRecord } from './service.server.ts';
import { endStatement, runStatement } from './store.server.ts';

interface DocumentPayload {
  documentId: string;
}

interface DocumentRun {
  context: RunContext;
  documentId: string;
}

export const progressLine = (progress: ProgressLine) => `${JSON.stringify(progress)}\n`;

/** Creates a tool that stores its result and charges for it only when it is complete. */
export function documentTool<Result extends object>(
  feature: 'pdf' | 'question',
  work: (run: DocumentRun) => AsyncGenerator<string, Result, void>,
): Tool<DocumentPayload> {
  const results = new WeakMap<object, Result>();
  return {
    feature,
    charges: 'units',
    failures: documentFailures,
    async *run(context, payload) {
      results.set(payload, yield* work({ context, documentId: payload.documentId }));
      context.deliver();
      return { finish: 'stop' };
    },
    store: ({ generationId, state, payload }, closing) =>
      endStatement(closing, generationId, state === 'done' ? (results.get(payload) ?? null) : null),
  };
}

/**
 * Starts an analysis, or with a question, an answer.
 * @throws Problem not_found, or when admission refuses the run
 */
export async function startDocumentRun({
  actor,
  input: { id, key, ...rest },
}: ActorInput<{ id: string; key: string; question: string | null }>): Promise<StartedDocumentRun> {
  const { id: documentId } = await ownRecord({ actor, input: { id } });
  const question = rest.question === null ? null : cleanText(rest.question);
  const kind = question === null ? 'analysis' : 'question';
  const started = await startRun(actor, {
    feature: question === null ? 'pdf' : 'question',
    key,
    fingerprint: question === null ? [kind, documentId] : [kind, documentId, question],
    payload: { documentId } satisfies DocumentPayload,
    write: (admission) => runStatement(admission, { documentId, kind, question }),
  });
  return startedRun(started);
}
