import { toast } from '../../../../client/page-events.ts';
import { progressLines } from '../../../generations/web/progress-lines.ts';
import { followRun } from '../../../generations/web/stream.ts';
import type { RunEnd } from '../../../generations/web/use-run.ts';
import type { ImageStep } from '../../contract.ts';
import { forgetRunning, runningIds } from './noted.ts';

/** What somebody who looks at a running job hears of it. */
export interface JobListener {
  onSteps(steps: ImageStep[]): void;
  onEnd(end: RunEnd): void;
  /** It can no longer be read. */
  onLost(): void;
}

interface Watch {
  text: string;
  listeners: Set<JobListener>;
}

/** The jobs that this window reads, whichever of its pages is open. */
const watches = new Map<string, Watch>();

/** Tells of images that nobody looks at, wherever the person is by now. */
function tellEnd(id: string, end: RunEnd, made: number): void {
  const open = { label: 'Open', run: () => location.assign(`/tools/image/${id}`) };
  if (made > 0)
    toast({
      text: made === 1 ? 'Your image is ready.' : `Your ${made} images are ready.`,
      kind: 'success',
      action: open,
    });
  else if (end.state !== 'stopped')
    toast({
      title: 'No image',
      text: end.error?.message ?? '',
      kind: 'danger',
      action: open,
    });
}

function read(id: string, watch: Watch): void {
  const steps = () => progressLines<ImageStep>(watch.text);
  const over = () => {
    watches.delete(id);
    forgetRunning(id);
  };
  followRun(id, {
    signal: new AbortController().signal,
    onEvent(event) {
      if (event.event === 'delta') watch.text += event.data.text;
      else if (event.event === 'reset') watch.text = event.data.text;
      if (event.event === 'end') {
        over();
        if (watch.listeners.size === 0)
          tellEnd(id, event.data, steps().filter((step) => 'picture' in step).length);
        for (const listener of watch.listeners) listener.onEnd(event.data);
      } else for (const listener of watch.listeners) listener.onSteps(steps());
    },
  }).catch(() => {
    over();
    for (const listener of watch.listeners) listener.onLost();
  });
}

/** Reads a job to its end, on whatever page; whoever listens at its end is told, else a toast is shown. */
export function watchJob(id: string, listener?: JobListener): () => void {
  let watch = watches.get(id);
  if (!watch) {
    watch = { text: '', listeners: new Set() };
    watches.set(id, watch);
    read(id, watch);
  }
  if (listener) {
    watch.listeners.add(listener);
    if (watch.text !== '') listener.onSteps(progressLines<ImageStep>(watch.text));
  }
  const joined = watch;
  return () => {
    if (listener) joined.listeners.delete(listener);
  };
}

/** Takes up what was begun on a page that has been left: news of its end come here. */
export function watchNoted(): void {
  for (const id of runningIds()) watchJob(id);
}
