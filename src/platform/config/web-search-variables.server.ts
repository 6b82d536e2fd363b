import { z } from 'zod';
import { variable } from './described-variable.server.ts';
import { text, url } from './variable-kinds.server.ts';

export const webSearch = {
  WEB_SEARCH: variable(
    z.enum(['gateway', 'searxng', 'brave'], { error: 'must be gateway, searxng or brave' }).optional(),
    {
      group: 'Models',
      about:
        'Who searches the web for a message in chat where the person asks for it: gateway (LLM_BASE_URL, by OpenRouter’s web plugin), searxng or brave. Unset: nobody, and it is not offered.',
      example: 'gateway',
    },
  ),
  WEB_SEARCH_URL: variable(url().optional(), {
    group: 'Models',
    about:
      'Address of SearXNG, whose settings.yml must list json among search.formats. For brave only where it is another than https://api.search.brave.com.',
    example: 'https://searx.example.com',
  }),
  WEB_SEARCH_KEY: variable(text(), {
    group: 'Models',
    about: 'Key of the Brave Search API.',
    secret: true,
  }),
};
