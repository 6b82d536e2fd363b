import { session } from '../../../../client/storage.ts';

/** Analyses that were begun in this tab and whose end was not seen yet, over the pages of a visit. */
export const RUNNING_KEY = 'analyses-running';

export interface NotedAnalysis {
  /** Id of the run. */
  run: string;
  /** Id and name of the document. */
  document: string;
  name: string;
}

const isNoted = (value: Partial<Record<keyof NotedAnalysis, unknown>> | null): value is NotedAnalysis =>
  typeof value?.run === 'string' && typeof value.document === 'string' && typeof value.name === 'string';

/** What is noted; nothing where the browser keeps nothing. */
export function notedAnalyses(): NotedAnalysis[] {
  try {
    const noted: unknown = JSON.parse(session.getItem(RUNNING_KEY) ?? '[]');
    return Array.isArray(noted) ? noted.filter(isNoted) : [];
  } catch {
    return [];
  }
}

function keep(noted: NotedAnalysis[]): void {
  if (noted.length > 0) session.setItem(RUNNING_KEY, JSON.stringify(noted));
  else session.removeItem(RUNNING_KEY);
}

export const forgetAnalysis = (run: string): void =>
  keep(notedAnalyses().filter((known) => known.run !== run));

export const noteAnalysis = (noted: NotedAnalysis): void =>
  keep([...notedAnalyses().filter((known) => known.run !== noted.run), noted]);
