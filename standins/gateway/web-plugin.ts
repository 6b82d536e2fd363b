import { hostilePages, pagesOf } from '../search/pages.ts';
import { withoutMarkers } from './call-plan.ts';
import { type ChatRequest, lastUserText } from './chat-request.ts';
import { framedText, shorten } from './text.ts';

/** USD per result: https://openrouter.ai/docs/guides/features/plugins/web-search */
export const SEARCH_PRICE = 0.004;

export interface Annotation {
  type: 'url_citation';
  url_citation: { url: string; title: string; content: string; start_index: number; end_index: number };
}

/** [[search:hostile]] and others; the search stand-in uses the same names. */
const SEARCH_MARKER = /\[\[search:([a-z0-9]+)\]\]/;

/** Whether to answer like a server that does not support plugins. */
export const refusesPlugin = ({ web, messages }: ChatRequest, markers: boolean): boolean =>
  markers && web !== null && SEARCH_MARKER.exec(lastUserText(messages))?.[1] === 'refused';

export function annotationsOf(request: ChatRequest, markers: boolean): Annotation[] {
  if (request.web === null) return [];
  const text = lastUserText(request.messages);
  const searchMode = markers ? SEARCH_MARKER.exec(text)?.[1] : undefined;
  if (searchMode === 'none') return [];
  const query = markers ? withoutMarkers(text) : text;
  const pages = searchMode === 'hostile' ? hostilePages(query) : pagesOf(query);
  return pages.slice(0, request.web).map(({ url, title, snippet }) => ({
    type: 'url_citation',
    url_citation: { url, title, content: snippet, start_index: 0, end_index: 0 },
  }));
}

/** Cites results as links named by their host, the form that the plugin's prompt requests. */
export function withCitations(text: string, annotations: readonly Annotation[]): string {
  const citations = annotations.slice(0, 2).flatMap(({ url_citation: { url, content } }) => {
    const host = URL.parse(url)?.host;
    return host ? [`${content} [${host}](${url})`] : [];
  });
  return citations.length === 0 ? text : `${text}\n\n${citations.join(' ')}`;
}

/** Returns the last message of the conversation as a short search query. */
export function queriesOf(framed: string, markers: boolean): string {
  const lines = (framedText(framed) ?? framed).split('\n');
  const at = lines.findLastIndex((line) => line.startsWith('Person: '));
  const lastMessage = lines
    .slice(at)
    .join(' ')
    .replace(/^Person: /, '');
  const searchMode = markers ? SEARCH_MARKER.exec(lastMessage)?.[1] : undefined;
  const query = shorten(markers ? withoutMarkers(lastMessage) : lastMessage, 80);
  return searchMode ? `${query} search-${searchMode}` : query;
}
