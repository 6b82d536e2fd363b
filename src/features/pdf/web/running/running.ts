import { toast } from '../../../../client/page-events.ts';
import { followRun } from '../../../generations/web/stream.ts';
import type { RunEnd } from '../../../generations/web/use-run.ts';
import { forgetAnalysis, type NotedAnalysis, notedAnalyses } from './noted.ts';

/** The analyses that this window reads for nobody but their news, by the id of their run. */
const watches = new Map<string, { document: string; abort: AbortController }>();

/** Documents whose page is open, which reads and tells itself. */
const open = new Set<string>();

const listeners = new Set<() => void>();

function tellEnd({ document, name }: NotedAnalysis, { state, error }: RunEnd): void {
  const action = { label: 'Open', run: () => location.assign(`/tools/pdf/${document}`) };
  if (state === 'done') toast({ text: `The analysis of “${name}” is complete.`, kind: 'success', action });
  else if (state !== 'stopped')
    toast({
      title: 'Error',
      text: `“${name}” was not analysed. ${error?.message ?? ''}`.trim(),
      kind: 'danger',
      action,
    });
}

function watch(noted: NotedAnalysis): void {
  const { run, document } = noted;
  if (watches.has(run) || open.has(document)) return;
  const abort = new AbortController();
  watches.set(run, { document, abort });
  const over = () => {
    watches.delete(run);
    forgetAnalysis(run);
  };
  followRun(run, {
    signal: abort.signal,
    onEvent(event) {
      if (event.event !== 'end') return;
      over();
      tellEnd(noted, event.data);
      for (const listener of listeners) listener();
    },
  }).catch(() => {
    if (!abort.signal.aborted) over();
  });
}

/** Takes up what was begun on a page that has been left: news of its end come as toasts, on whatever page. */
export function watchNoted(): void {
  for (const noted of notedAnalyses()) watch(noted);
}

/** The page of a document tells of it by itself until it is left. @returns what is to be called then. */
export function holdNews(document: string): () => void {
  open.add(document);
  for (const [run, watched] of watches)
    if (watched.document === document) {
      watches.delete(run);
      watched.abort.abort();
    }
  return () => {
    open.delete(document);
    watchNoted();
  };
}

/** Calls the listener after each end of which a toast has told. @returns what ends that. */
export function afterNews(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
