import { SearchFailed, searchWith } from '#features/chat/service.server.ts';
import { type Config, searchService } from '#platform/config/config.server.ts';
import { describeUnreachable } from './describe-unreachable.ts';
import { type Finding, note, notSet, ok, wrong } from './finding.ts';

const ABOUT = 'Web search';

/** The check makes one query, which the service may charge for. */
const QUERY = 'weather';

function describeProblem(engine: 'searxng' | 'brave', status: number): string {
  if (status === 429)
    return engine === 'brave'
      ? 'Brave accepts no more searches now (status 429). The plan of WEB_SEARCH_KEY is used up or too small.'
      : 'SearXNG treats this server as a bot (status 429). Turn off its limiter, or exempt this machine from it.';
  if (engine === 'searxng' && status === 403)
    return 'SearXNG returns no JSON (status 403). Add json to search.formats in its settings.yml.';
  if (engine === 'brave' && (status === 401 || status === 403 || status === 422))
    return `Brave rejected WEB_SEARCH_KEY (status ${status}). Check the key.`;
  if (status === 404) return 'There is no search at WEB_SEARCH_URL. Use the part before /search.';
  if (status === 200) return 'WEB_SEARCH_URL did not return search results. Check the address.';
  return `The search service is having problems (status ${status}). Check it, and WEB_SEARCH_URL.`;
}

function gatewayFinding({ LLM_BASE_URL = '' }: Config): Finding {
  const host = URL.parse(LLM_BASE_URL)?.host ?? 'a stand-in';
  return /(^|\.)openrouter\.ai$/.test(host)
    ? ok(ABOUT, `${host} searches with its web plugin.`)
    : note(
        ABOUT,
        `WEB_SEARCH is gateway. The first message with web search shows whether ${host} has OpenRouter's web plugin.`,
      );
}

export async function checkWebSearch(config: Config): Promise<Finding[]> {
  if (!config.WEB_SEARCH) return [notSet(ABOUT, 'Web search is off. To offer it, set WEB_SEARCH.')];
  if (config.WEB_SEARCH === 'gateway') return [gatewayFinding(config)];
  const service = searchService(config);
  if (!service || service.baseUrl === '' || (service.engine === 'brave' && service.key === ''))
    return [notSet(ABOUT, `A local stand-in answers for ${config.WEB_SEARCH}.`)];
  try {
    const results = await searchWith(service, QUERY, { count: 5 });
    const { host } = new URL(service.baseUrl);
    return [
      results.length > 0
        ? ok(ABOUT, `${host} returns results.`)
        : wrong(ABOUT, `${host} found nothing for “${QUERY}”. Check its engines.`),
    ];
  } catch (error) {
    if (!(error instanceof SearchFailed)) throw error;
    const { status, cause } = error;
    return [
      wrong(
        ABOUT,
        status === null
          ? describeUnreachable(cause, 'WEB_SEARCH_URL', 'a search service')
          : describeProblem(service.engine, status),
      ),
    ];
  }
}
