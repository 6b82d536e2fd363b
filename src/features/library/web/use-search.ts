import { useEffect, useState } from 'react';
import { request } from '#client/api-request.ts';
import { delay } from '#client/delay.ts';
import { ProblemError } from '#client/problem-error.ts';
import { m } from '#messages';
import type { SearchResponse } from '../contract.ts';

const searchAll = (query: string, signal: AbortSignal) =>
  request<SearchResponse>(`/api/search?${new URLSearchParams({ q: query })}`, { signal });

interface SearchState extends SearchResponse {
  query: string;
  error: string | null;
}

/** Debounce in milliseconds. */
const DEBOUNCE_MS = 120;

const emptyState: SearchState = { query: '', hits: [], items: [], error: null };

const errorMessage = (error: unknown) =>
  error instanceof ProblemError ? error.body.error : m.chat_search_failed();

/**
 * Retry silently if Retry-After is at most this many seconds: the previous search, aborted here, is still running on
 * the server.
 */
const MAX_SILENT_WAIT = 2;
/** A search runs two statements of at most 2 s each. */
const MAX_REFUSALS = 4;
const RETRY_MS = 300;

/** Milliseconds until the next try after the n-th failure; null to show the error. */
function retryDelay(error: unknown, failures: number): number | null {
  if (!(error instanceof ProblemError)) return failures === 1 ? RETRY_MS : null;
  const wait = error.body.code === 'rate_limited' ? error.retryAfter : null;
  return wait !== null && wait <= MAX_SILENT_WAIT && failures <= MAX_REFUSALS ? wait * 1000 : null;
}

async function runSearch(query: string, signal: AbortSignal): Promise<SearchState> {
  for (let failures = 1; ; failures += 1) {
    try {
      return { query, ...(await searchAll(query, signal)), error: null };
    } catch (error) {
      const ms = retryDelay(error, failures);
      if (ms !== null) await delay(ms, signal);
      if (ms === null || signal.aborted) return { ...emptyState, query, error: errorMessage(error) };
    }
  }
}

/** Returns the result of the last query that has been answered. */
export function useSearch(query: string): SearchState {
  const [found, setFound] = useState(emptyState);
  useEffect(() => {
    if (query === '') {
      setFound(emptyState);
      return;
    }
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await runSearch(query, controller.signal);
      if (!controller.signal.aborted) setFound(answer);
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query]);
  return found;
}
