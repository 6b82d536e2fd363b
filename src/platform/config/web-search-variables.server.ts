import { z } from 'zod';
import { variable } from './described-variable.server.ts';
import { text, url } from './variable-kinds.server.ts';

export const webSearch = {
  WEB_SEARCH: variable(
    z.enum(['gateway', 'searxng', 'brave'], { error: 'must be gateway, searxng or brave' }).optional(),
    {
      group: 'Models',
      about:
        "Web search provider for chat messages, when the person turns it on: gateway (LLM_BASE_URL, with OpenRouter's web plugin), searxng or brave. Unset: web search is not offered.",
      example: 'gateway',
    },
  ),
  WEB_SEARCH_URL: variable(url().optional(), {
    group: 'Models',
    about:
      'Address of SearXNG, with json listed under search.formats in its settings.yml. For brave, only needed if it is not https://api.search.brave.com.',
    example: 'https://searx.example.com',
  }),
  WEB_SEARCH_KEY: variable(text(), {
    group: 'Models',
    about: 'Key for the Brave Search API.',
    secret: true,
  }),
};
