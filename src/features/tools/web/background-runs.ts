import { session } from '#client/storage.ts';
import { subscribeToRun } from '#features/generations/web/lazy-run-stream.ts';
import type { RunEnd } from '#features/generations/web/use-run.ts';
import { m } from '#messages';
import { type Notice, queueToast } from './queue-toast.ts';

export interface BackgroundRun {
  run: string;
  /** The page that shows the result; while it is open, no toast reports the end. */
  path: string;
}

export interface RunListener {
  onText(text: string): void;
  onEnd(end: RunEnd): void;
  onLost(): void;
}

interface RunKind<R extends BackgroundRun> {
  /** Keeps this tab's runs in session storage until their end was seen; null for runs that a list contains. */
  stored: { key: string; parse(value: unknown): R | null; format(run: R): unknown } | null;
  notice(run: R, end: RunEnd, text: string): Notice | null | Promise<Notice | null>;
}

interface Reading {
  text: string;
  listeners: Set<RunListener>;
}

/** Follows a tool's runs on whatever page the person is, and notifies them of the end. */
export function backgroundRuns<R extends BackgroundRun>({ stored, notice }: RunKind<R>) {
  const readings = new Map<string, Reading>();
  const afterEnd = new Set<(run: R) => void>();

  const pending = (): R[] => {
    if (!stored) return [];
    try {
      const values: unknown = JSON.parse(session.getItem(stored.key) ?? '[]');
      return Array.isArray(values) ? values.flatMap((value) => stored.parse(value) ?? []) : [];
    } catch {
      return [];
    }
  };
  const pendingWithout = (id: string) => pending().filter(({ run }) => run !== id);
  const save = (runs: R[]) => {
    if (!stored) return;
    if (runs.length > 0) session.setItem(stored.key, JSON.stringify(runs.map(stored.format)));
    else session.removeItem(stored.key);
  };
  const remove = (id: string) => save(pendingWithout(id));

  const read = (run: R, open: (path: string) => void): Reading => {
    const reading: Reading = { text: '', listeners: new Set() };
    readings.set(run.run, reading);
    const finish = () => {
      readings.delete(run.run);
      remove(run.run);
    };
    const end = async (data: RunEnd) => {
      finish();
      for (const listener of reading.listeners) listener.onEnd(data);
      for (const listener of afterEnd) listener(run);
      if (reading.listeners.size === 0 && location.pathname !== run.path) {
        const detail = await notice(run, data, reading.text);
        const action = { label: m.common_open(), run: () => open(run.path) };
        if (detail) queueToast(() => (location.pathname === run.path ? null : { ...detail, action }));
      }
    };
    subscribeToRun(run.run, {
      signal: new AbortController().signal,
      onEvent(event) {
        if (event.event === 'end') return void end(event.data).catch(() => undefined);
        if (event.event === 'delta') reading.text += event.data.text;
        else if (event.event === 'reset') reading.text = event.data.text;
        for (const listener of reading.listeners) listener.onText(reading.text);
      },
    }).catch(() => {
      finish();
      for (const listener of reading.listeners) listener.onLost();
    });
    return reading;
  };

  const watch = (run: R, open: (path: string) => void = (path) => location.assign(path)) => {
    if (!readings.has(run.run) && location.pathname !== run.path) read(run, open);
  };
  return {
    add: (run: R) => save([...pendingWithout(run.run), run]),
    remove,
    watch,
    /** Follows runs that were started on a page that the person has left. */
    resume: () => pending().forEach((run) => void watch(run)),
    /** @returns a function that removes the listener; reading the run continues. */
    follow(run: R, listener: RunListener): () => void {
      const reading = readings.get(run.run) ?? read(run, (path) => location.assign(path));
      reading.listeners.add(listener);
      if (reading.text !== '') listener.onText(reading.text);
      return () => void reading.listeners.delete(listener);
    },
    onEnded(listener: (run: R) => void): () => void {
      afterEnd.add(listener);
      return () => void afterEnd.delete(listener);
    },
  };
}
