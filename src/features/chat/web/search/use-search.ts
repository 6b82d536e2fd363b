import { useEffect, useState } from 'react';
import type { SearchHit } from '../../contract.ts';
import { searchChats } from '../run/api.ts';
import { ProblemError } from '../run/problem-error.ts';

/** What there is to show for a search; earlier hits stay until the next ones are there. */
export interface Found {
  /** The search that it answers, '' before the first. */
  query: string;
  hits: SearchHit[];
  error: string | null;
}

/** Milliseconds without a key before the server is asked. */
const pause = 120;

const nothing: Found = { query: '', hits: [], error: null };

const textOf = (error: unknown) =>
  error instanceof ProblemError
    ? error.body.error
    : 'The search did not get through. Check your connection and try again.';

/** Asks for what is typed, once the typing rests; what is no longer wanted is called off and never shown. */
export function useSearch(query: string): Found {
  const [found, setFound] = useState(nothing);
  useEffect(() => {
    if (query === '') {
      setFound(nothing);
      return;
    }
    const asking = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const { hits } = await searchChats(query, asking.signal);
        if (!asking.signal.aborted) setFound({ query, hits, error: null });
      } catch (error) {
        if (!asking.signal.aborted) setFound({ query, hits: [], error: textOf(error) });
      }
    }, pause);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [query]);
  return found;
}
