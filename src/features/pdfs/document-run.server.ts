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

/** A tool whose result is stored, and charged once, when all of it is there. */
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
 * An analysis, or with a question an answer to it.
 * @throws Problem not_found, and the refusals of admission.
 */
export async function startDocumentRun({
  actor,
  input: { id, key, ...asked },
}: ActorInput<{ id: string; key: string; question: string | null }>): Promise<StartedDocumentRun> {
  const { id: documentId } = await ownRecord({ actor, input: { id } });
  const question = asked.question === null ? null : cleanText(asked.question);
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
