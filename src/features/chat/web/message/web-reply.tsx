import { type ReactNode, useEffect, useId, useMemo } from 'react';
import { request } from '#client/api-request.ts';
import { useLiveText } from '#features/generations/web/live-text.ts';
import { m } from '#messages';
import { SourcesOfText } from '#ui/markdown/markdown-parts.ts';
import { SourceList } from '#ui/markdown/source-list.tsx';
import type { WebSearch } from '../../contract.ts';
import { isLive, type Message } from '../state/chat-state.ts';

/** Sources arrive with the first text, or at the end if the gateway searches. */
function useFoundSources(turn: Message, web: WebSearch, onFound: (web: WebSearch) => void) {
  const hasText = Boolean(useLiveText(turn.live ?? null)) || !isLive(turn);
  const live = isLive(turn);
  const { generationId } = turn;
  const shouldLoad = hasText && web.state === 'searching' && generationId !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: requested at the first text and at the end
  useEffect(() => {
    if (!shouldLoad) return;
    let cancelled = false;
    request<WebSearch>(`/api/generations/${generationId}/web`).then(
      (found) => cancelled || onFound(found),
      // The next load of the page has them.
      () => undefined,
    );
    return () => {
      cancelled = true;
    };
  }, [shouldLoad, live, generationId]);
}

interface WebReplyProps {
  turn: Message;
  web: WebSearch;
  onFound: (web: WebSearch) => void;
  children: ReactNode;
}

export default function WebReply({ turn, web, onFound, children }: WebReplyProps) {
  const id = useId();
  useFoundSources(turn, web, onFound);
  const { state, queries, sources } = web;
  const marks = useMemo(
    () =>
      sources.length === 0
        ? null
        : { urls: sources.map(({ url }) => url), idOf: (number: number) => `source${id}${number}` },
    [sources, id],
  );
  const ended = !isLive(turn);
  return (
    <SourcesOfText value={marks}>
      {children}
      {marks ? <SourceList sources={sources} idOf={marks.idOf} /> : null}
      {queries.length > 0 && (marks || ended) ? (
        <p className="mt-2 text-xs text-fg-muted wrap-anywhere" dir="auto">
          {m.chat_web_queries({ queries: queries.join(' · ') })}
        </p>
      ) : null}
      {ended && turn.content !== '' && state === 'failed' ? (
        <p className="mt-2 text-sm text-fg-muted">{m.chat_web_failed()}</p>
      ) : null}
      {ended && turn.content !== '' && state === 'nothing' ? (
        <p className="mt-2 text-sm text-fg-muted">{m.chat_web_nothing()}</p>
      ) : null}
    </SourcesOfText>
  );
}
