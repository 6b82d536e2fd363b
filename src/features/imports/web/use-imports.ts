import { useEffect, useRef, useState } from 'react';
import { errorText } from '#client/use-mutation.ts';
import { m } from '#messages';
import { type ImportView, importLimits } from '../contract.ts';
import { fetchImports, sendFile, startImport, stopImport } from './imports-api.ts';

const POLL_MS = 1_500;

const isOpen = (view: ImportView | null) => view?.state === 'queued' || view?.state === 'running';

/** The person's newest import; polled while it is open. */
function useNewest(first: ImportView | null) {
  const [newest, setNewest] = useState(first);
  const open = isOpen(newest);
  useEffect(() => {
    if (!open) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let cancelled = false;
    const poll = async () => {
      // Offline or signed out: try again at the next poll.
      const [view = null] = await fetchImports().catch(() => []);
      if (cancelled) return;
      if (view) setNewest(view);
      if (view?.stalled) await startImport(view.id).catch(() => undefined);
      timer = setTimeout(poll, POLL_MS);
    };
    timer = setTimeout(poll, POLL_MS);
    return () => {
      cancelled = true;
      clearTimeout(timer);
    };
  }, [open]);
  return [newest, setNewest] as const;
}

/** `sent` is the share of the file that this page has uploaded; null if it is not uploading. */
export function useImports(first: ImportView | null) {
  const [newest, setNewest] = useNewest(first);
  const [sent, setSent] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const sending = useRef<AbortController | null>(null);
  useEffect(() => () => sending.current?.abort(), []);

  async function choose(file: File) {
    setError(null);
    if (file.size === 0) return setError(m.imports_empty());
    if (file.size > importLimits.size) return setError(m.imports_too_large());
    const control = new AbortController();
    sending.current = control;
    setSent(0);
    try {
      setNewest(await sendFile(file, { signal: control.signal, onCreated: setNewest, onSent: setSent }));
    } catch (failure) {
      if (!control.signal.aborted) setError(errorText(failure, m.common_connection_lost()));
    }
    setSent(null);
  }

  async function stop(view: ImportView) {
    sending.current?.abort();
    setError(null);
    try {
      await stopImport(view.id);
      const [latest = null] = await fetchImports();
      setNewest(latest);
    } catch (failure) {
      setError(errorText(failure, m.common_connection_lost()));
    }
  }

  return { newest, sent, error, choose, stop, isOpen: isOpen(newest) };
}
