import { useEffect, useState } from 'react';
import { request } from '#client/api-request.ts';
import { delay } from '#client/delay.ts';
import { ProblemError } from '#client/problem-error.ts';
import { m } from '#messages';
import type { FoundEverywhere } from '../contract.ts';

const searchAll = (query: string, signal: AbortSignal) =>
  request<FoundEverywhere>(`/api/search?${new URLSearchParams({ q: query })}`, { signal });

interface SearchState extends FoundEverywhere {
  query: string;
  error: string | null;
}

/** Debounce in milliseconds. */
const pause = 120;

const nothing: SearchState = { query: '', hits: [], items: [], error: null };

const textOf = (error: unknown) =>
  error instanceof ProblemError ? error.body.error : m.chat_search_failed();

/**
 * Retry silently if Retry-After is at most this many seconds: the previous search, aborted here, is still running on
 * the server.
 */
const briefly = 2;
/** A search runs two statements of at most 2 s each. */
const refusals = 4;
const again = 300;

/** Milliseconds until the next try after the n-th failure; null to show the error. */
function retryDelay(error: unknown, failures: number): number | null {
  if (!(error instanceof ProblemError)) return failures === 1 ? again : null;
  const wait = error.body.code === 'rate_limited' ? error.retryAfter : null;
  return wait !== null && wait <= briefly && failures <= refusals ? wait * 1000 : null;
}

async function ask(query: string, signal: AbortSignal): Promise<SearchState> {
  for (let failures = 1; ; failures += 1) {
    try {
      return { query, ...(await searchAll(query, signal)), error: null };
    } catch (error) {
      const ms = retryDelay(error, failures);
      if (ms !== null) await delay(ms, signal);
      if (ms === null || signal.aborted) return { ...nothing, query, error: textOf(error) };
    }
  }
}

/** Returns the result of the last query that has been answered. */
export function useSearch(query: string): SearchState {
  const [found, setFound] = useState(nothing);
  useEffect(() => {
    if (query === '') {
      setFound(nothing);
      return;
    }
    const asking = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await ask(query, asking.signal);
      if (!asking.signal.aborted) setFound(answer);
    }, pause);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [query]);
  return found;
}
