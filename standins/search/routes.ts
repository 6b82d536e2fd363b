/**
 * Web search: SearXNG's JSON (https://docs.searxng.org/dev/search_api.html) under /searxng, and Brave's Search API
 * under /brave. Limits of fidelity: results are made from the words of the query, on reserved domains; only the
 * parameters for query, format and count have an effect.
 */
import { type Call, send, sendJson } from '../http.ts';
import { loggedMessage } from '../request-log.ts';
import type { StandIn, StandInParts } from '../standin.ts';
import { type FoundPage, hostilePages, pagesOf } from './pages.ts';

const MODE = /\bsearch-(500|429|html|moved|none|hostile|huge|hold)\b/;
const HUGE = 8 * 1024 * 1024;

type Answer = (pages: FoundPage[], query: string) => unknown;

const searxngAnswer: Answer = (pages, query) => ({
  query,
  number_of_results: 0,
  results: pages.map(({ url, title, snippet, date }) => ({
    url,
    title,
    content: snippet,
    ...(date === null ? {} : { publishedDate: `${date}T00:00:00` }),
    engine: 'standin',
    engines: ['standin'],
    category: 'general',
    score: 1,
  })),
  answers: [],
  corrections: [],
  infoboxes: [],
  suggestions: [],
  unresponsive_engines: [],
});

const highlighted = (text: string) =>
  text.replace(/\bsays\b/, '<strong>says</strong>').replaceAll('’', '&#x27;');

const braveAnswer: Answer = (pages, query) => ({
  type: 'search',
  query: { original: query, more_results_available: false },
  ...(pages.length > 0 && {
    web: {
      type: 'search',
      results: pages.map(({ url, title, snippet, date }) => ({
        ...{ type: 'search_result', title, url, description: highlighted(snippet), language: 'en' },
        ...(date === null ? {} : { age: date, page_age: `${date}T00:00:00` }),
        profile: { name: 'Example', url },
      })),
    },
  }),
});

function braveError(call: Call, status: number, code: string): void {
  sendJson(call.res, status, {
    type: 'ErrorResponse',
    error: { id: 'stand-in', status, code, detail: 'The stand-in refuses this request.' },
  });
}

async function answer(
  { res, url }: Call,
  { held, settings }: StandInParts,
  answerOf: Answer,
  count: number,
): Promise<void> {
  const query = url.searchParams.get('q') ?? '';
  const mode = settings.markers ? MODE.exec(query)?.[1] : undefined;
  if (mode === '500') return send(res, 500, 'text/plain', 'Internal Server Error');
  if (mode === '429') return sendJson(res, 429, { error: 'Too Many Requests' });
  if (mode === 'html') return send(res, 200, 'text/html', '<p>Not what you asked for</p>');
  if (mode === 'moved') return void res.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
  if (mode === 'huge') return send(res, 200, 'application/json', JSON.stringify('x'.repeat(HUGE)));
  if (mode === 'hold' && !(await held.wait(query, res))) return;
  const pages = mode === 'none' ? [] : mode === 'hostile' ? hostilePages(query) : pagesOf(query);
  sendJson(res, 200, answerOf(pages.slice(0, count), query));
}

export function searchStandIn(parts: StandInParts): StandIn {
  const { router, log } = parts;
  const logCall = ({ req, res, url }: Call) =>
    log.open(req, res, url.pathname, {
      messages: [loggedMessage('user', url.searchParams.get('q') ?? '')],
      detail: { kind: 'search' },
    });
  router.on('GET', '/searxng/search', async (call) => {
    logCall(call);
    if (call.url.searchParams.get('format') !== 'json')
      return send(call.res, 403, 'text/html', '<p>The stand-in gives JSON alone.</p>');
    await answer(call, parts, searxngAnswer, 100);
  });
  router.on('GET', '/brave/res/v1/web/search', async (call) => {
    logCall(call);
    if (!call.req.headers['x-subscription-token']) return braveError(call, 422, 'SUBSCRIPTION_TOKEN_INVALID');
    const count = Number(call.url.searchParams.get('count') ?? 20);
    const query = call.url.searchParams.get('q') ?? '';
    if (!(count >= 1 && count <= 20) || query === '' || query.length > 400)
      return braveError(call, 422, 'VALIDATION');
    await answer(call, parts, braveAnswer, count);
  });
  return {
    name: 'Web search',
    about: 'SearXNG under /searxng and the Brave Search API under /brave, for WEB_SEARCH=searxng or brave.',
    links: [{ href: '/searxng/search?format=json&q=tides', text: 'A search' }],
  };
}
