import { config, searchService } from '#platform/config/config.server.ts';
import { outbound } from '#platform/outbound/outbound.server.ts';
import { OutboundFailed, OutboundRefused } from '#platform/outbound/outbound-errors.ts';
import type { FoundPage } from './clean-sources.server.ts';

/** Short, because the person is waiting and the reply can continue without a search. */
const BOUNDS = { firstByteMs: 8_000, totalMs: 10_000, maxBytes: 2 * 1024 * 1024 };
/** The most that Brave returns at once. */
const MAX_RESULTS = 20;

export type SearchService = NonNullable<ReturnType<typeof searchService>>;

export class SearchFailed extends Error {
  readonly status: number | null;
  constructor(status: number | null, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'SearchFailed';
    this.status = status;
  }
}

type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Protocol {
  request(
    service: SearchService,
    query: string,
    count: number,
  ): { url: URL; headers: Record<string, string> };
  /** Null if the body is not a response of this protocol. */
  results(body: Json): unknown[] | null;
  page(result: Json): FoundPage;
}

const asList = (value: unknown): unknown[] | null => (Array.isArray(value) ? value : null);

/** https://docs.searxng.org/dev/search_api.html */
const searxng: Protocol = {
  request: ({ baseUrl }, query) => ({
    url: new URL(`${baseUrl}/search?${new URLSearchParams({ q: query, format: 'json' })}`),
    headers: {},
  }),
  results: (body) => asList(body.results),
  page: ({ url, title, content, publishedDate }) => ({ url, title, snippet: content, date: publishedDate }),
};

/** https://api-dashboard.search.brave.com/app/documentation/web-search/get-started */
const brave: Protocol = {
  request: ({ baseUrl, key }, query, count) => ({
    url: new URL(
      `${baseUrl}/res/v1/web/search?${new URLSearchParams({
        q: query,
        count: String(Math.min(count, MAX_RESULTS)),
        result_filter: 'web',
        text_decorations: 'false',
      })}`,
    ),
    headers: { 'x-subscription-token': key },
  }),
  // Without results there is no `web`.
  results: ({ web, type }) => (isRecord(web) ? asList(web.results) : type === 'search' ? [] : null),
  page: ({ url, title, description, page_age }) => ({ url, title, snippet: description, date: page_age }),
};

const protocols = { searxng, brave };

function parseRecord(text: string): Json | null {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body : null;
  } catch {
    return null;
  }
}

/** Connects only to the operator's address and refuses redirects. @throws SearchFailed, or OutboundFailed if aborted */
export async function searchWith(
  service: SearchService,
  query: string,
  { count, signal }: { count: number; signal?: AbortSignal },
): Promise<FoundPage[]> {
  const { request, results, page } = protocols[service.engine];
  const { url, headers } = request(service, query, count);
  try {
    const response = await outbound(url, {
      headers: { accept: 'application/json', ...headers },
      ...(signal ? { signal } : {}),
      ...BOUNDS,
    });
    const text = await response.text();
    if (response.status !== 200) throw new SearchFailed(response.status, `status ${response.status}`);
    const found = parseRecord(text);
    const list = found && results(found);
    if (!list) throw new SearchFailed(response.status, 'no answer of a search');
    return list.filter(isRecord).slice(0, MAX_RESULTS).map(page);
  } catch (error) {
    if (error instanceof SearchFailed || (error instanceof OutboundFailed && error.kind === 'aborted'))
      throw error;
    if (!(error instanceof OutboundFailed || error instanceof OutboundRefused)) throw error;
    throw new SearchFailed(null, error.kind, error);
  }
}

export const configuredService = (): SearchService | null => searchService(config());
