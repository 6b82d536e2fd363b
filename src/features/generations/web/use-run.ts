import { useCallback, useEffect, useRef, useState } from 'react';
import { request } from '#client/api-request.ts';
import { clearFailureToast } from '#client/page-events.ts';
import { ConnectionError } from '#client/problem-error.ts';
import type { GenerationEvent, StartedRun } from '../contract.ts';
import { openRun, subscribeToRun } from './lazy-run-stream.ts';
import { LiveText } from './live-text.ts';
import type { RunOptions, RunRequest } from './run-stream.ts';

export type RunEnd = Extract<GenerationEvent, { event: 'end' }>['data'];

export interface RunHandlers<S extends StartedRun> {
  /** The typed input can be discarded. Not called for a run that is followed. */
  onStarted(data: S): void;
  onEnd(end: RunEnd, text: string): void;
  /** No run was started, or it cannot be read any more. */
  onRefused(error: unknown): void;
}

export type RunPhase = 'idle' | 'starting' | 'running' | 'stopping';

export interface RunControl {
  phase: RunPhase;
  live: LiveText | null;
  /** Does nothing while a run is being read. */
  start(request: RunRequest): void;
  /** Does nothing if this run is already being read. */
  follow(generationId: string): void;
  /** A run that is not accepted yet is stopped as soon as it is. */
  stop(): void;
}

interface Reading {
  id: string | null;
  live: LiveText;
  abort: AbortController;
  stopRequested: boolean;
}

const requestStop = (id: string) => request<unknown>(`/api/generations/${id}/stop`, { method: 'POST' });

/** The run belongs to the server: leaving the page ends only the reading, and `follow` resumes it. */
export function useRun<S extends StartedRun>(handlers: RunHandlers<S>): RunControl {
  const [phase, setPhase] = useState<RunPhase>('idle');
  const [live, setLive] = useState<LiveText | null>(null);
  const reading = useRef<Reading | null>(null);
  const latest = useRef(handlers);
  latest.current = handlers;

  useEffect(
    () => () => {
      // Do not abort a request in flight: it may be one that is paid for.
      if (reading.current?.id != null) reading.current.abort.abort();
      reading.current = null;
    },
    [],
  );

  const read = useCallback((id: string | null, work: (options: RunOptions) => Promise<void>) => {
    const own: Reading = { id, live: new LiveText(), abort: new AbortController(), stopRequested: false };
    reading.current = own;
    setLive(own.live);
    setPhase(id === null ? 'starting' : 'running');
    const isCurrent = () => reading.current === own;
    const finish = () => {
      if (!isCurrent()) return false;
      reading.current = null;
      setPhase('idle');
      setLive(null);
      return true;
    };
    const onEvent = (event: GenerationEvent) => {
      if (event.event === 'delta') own.live.append(event.data.text);
      else if (event.event === 'reset') own.live.reset(event.data.text);
      else if (event.event === 'end') {
        if (event.data.state === 'done') clearFailureToast();
        if (finish()) latest.current.onEnd(event.data, own.live.fullText);
      } else {
        own.id = event.data.generation.id;
        clearFailureToast();
        if (!isCurrent()) return own.abort.abort();
        if (own.stopRequested) requestStop(own.id).catch((error) => latest.current.onRefused(error));
        else setPhase('running');
        latest.current.onStarted(event.data as unknown as S);
      }
    };
    work({ signal: own.abort.signal, onEvent }).catch((error: unknown) => {
      if (!own.abort.signal.aborted && finish()) latest.current.onRefused(error);
    });
  }, []);

  const start = useCallback(
    (runRequest: RunRequest) => {
      if (reading.current) return;
      // While offline nothing is queued, because it would later be sent without its sender's knowledge.
      if (!navigator.onLine)
        return latest.current.onRefused(new ConnectionError(new Error('The browser is offline.')));
      read(null, (options) => openRun(runRequest, options));
    },
    [read],
  );
  const follow = useCallback(
    (generationId: string) => {
      if (reading.current?.id === generationId) return;
      reading.current?.abort.abort();
      read(generationId, (options) => subscribeToRun(generationId, options));
    },
    [read],
  );
  const stop = useCallback(() => {
    const run = reading.current;
    if (!run || run.stopRequested) return;
    run.stopRequested = true;
    setPhase('stopping');
    if (run.id !== null) requestStop(run.id).catch((error) => latest.current.onRefused(error));
  }, []);
  return { phase, live, start, follow, stop };
}
