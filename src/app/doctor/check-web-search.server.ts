import { SearchFailed, searchWith } from '#features/chat/service.server.ts';
import { type Config, searchService } from '#platform/config/config.server.ts';
import { type Finding, note, notSet, ok, wrong } from './finding.ts';
import { unreached } from './unreached.ts';

const ABOUT = 'Web search';

/** One query, which the service may count. */
const QUERY = 'weather';

function refused(engine: 'searxng' | 'brave', status: number): string {
  if (status === 429)
    return engine === 'brave'
      ? 'Brave takes no more searches now (status 429): the plan of WEB_SEARCH_KEY is used up, or too small.'
      : 'SearXNG treats this server as a bot (status 429): switch its limiter off, or let this machine pass it.';
  if (engine === 'searxng' && status === 403)
    return 'SearXNG gives no JSON (status 403): add json to search.formats in its settings.yml.';
  if (engine === 'brave' && (status === 401 || status === 403 || status === 422))
    return `Brave refuses WEB_SEARCH_KEY (status ${status}): correct it.`;
  if (status === 404) return 'WEB_SEARCH_URL leads to no search: it is the part before /search.';
  if (status === 200) return 'What WEB_SEARCH_URL answers is no result of a search: correct it.';
  return `The search service has a problem (status ${status}): look at it, and at WEB_SEARCH_URL.`;
}

function ofGateway({ LLM_BASE_URL = '' }: Config): Finding {
  const host = URL.parse(LLM_BASE_URL)?.host ?? 'a stand-in';
  return /(^|\.)openrouter\.ai$/.test(host)
    ? ok(ABOUT, `${host} searches by its web plugin.`)
    : note(
        ABOUT,
        `WEB_SEARCH is gateway: whether ${host} has OpenRouter’s web plugin, you will see with the first message.`,
      );
}

export async function webSearch(config: Config): Promise<Finding[]> {
  if (!config.WEB_SEARCH) return [notSet(ABOUT, 'It is not offered; WEB_SEARCH names who searches.')];
  if (config.WEB_SEARCH === 'gateway') return [ofGateway(config)];
  const service = searchService(config);
  if (!service || service.baseUrl === '' || (service.engine === 'brave' && service.key === ''))
    return [notSet(ABOUT, `A local stand-in answers for ${config.WEB_SEARCH}.`)];
  try {
    const found = await searchWith(service, QUERY, { count: 5 });
    const { host } = new URL(service.baseUrl);
    return [
      found.length > 0
        ? ok(ABOUT, `${host} answers with results.`)
        : wrong(ABOUT, `${host} finds nothing for “${QUERY}”: look at its engines.`),
    ];
  } catch (error) {
    if (!(error instanceof SearchFailed)) throw error;
    const { status, cause } = error;
    return [
      wrong(
        ABOUT,
        status === null ? unreached(cause, 'WEB_SEARCH_URL', 'a search') : refused(service.engine, status),
      ),
    ];
  }
}
