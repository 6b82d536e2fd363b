import { useEffect, useState } from 'react';
import { ProblemError } from '#client/problem-error.ts';
import { m } from '#messages';
import type { SearchHit } from '../contract.ts';
import { searchChats } from './state/chat-api.ts';

export interface ChatSearchState {
  query: string;
  hits: SearchHit[];
  error: string | null;
}

/** Milliseconds without a key before the server is asked. */
const pause = 120;

const nothing: ChatSearchState = { query: '', hits: [], error: null };

const textOf = (error: unknown) =>
  error instanceof ProblemError ? error.body.error : m.chat_search_failed();

/** Seconds of Retry-After to wait silently: the search before this one, aborted here, still runs. */
const briefly = 2;
/** A search has two statements of at most 2 s. */
const refusals = 4;
const again = 300;

/** Milliseconds until the next try after the n-th failure; null to show the error. */
function retryDelay(error: unknown, failures: number): number | null {
  if (!(error instanceof ProblemError)) return failures === 1 ? again : null;
  const wait = error.body.code === 'rate_limited' ? error.retryAfter : null;
  return wait !== null && wait <= briefly && failures <= refusals ? wait * 1000 : null;
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}

async function ask(query: string, signal: AbortSignal): Promise<ChatSearchState> {
  for (let failures = 1; ; failures += 1) {
    try {
      return { query, ...(await searchChats(query, signal)), error: null };
    } catch (error) {
      const ms = retryDelay(error, failures);
      if (ms !== null) await delay(ms, signal);
      if (ms === null || signal.aborted) return { query, hits: [], error: textOf(error) };
    }
  }
}

export function useChatSearch(query: string): ChatSearchState {
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
