const tools = ['writer', 'script', 'image', 'pdf', 'prompts'].map((name) => `/tools/${name}`);
const articles = [
  'summarize-a-pdf',
  'ai-image-sizes-and-rights',
  'screenplay-format',
  'prompts-for-everyday-work',
  'chatgpt-alternatives',
  'what-is-gpt-5',
  'gpt-5-vs-claude-3',
  'gpt-5-vs-gemini',
  'gpt-5-release-tracker',
  'gpt-5-for-business',
  'gpt-5-technical-deep-dive',
  'prompt-engineering-guide',
  'open-source-ai-models-comparison',
  'gpt-5-industry-guides',
  'gpt-5-ai-ethics-safety',
  '50-gpt-5-prompts',
  'reduce-chatgpt5-api-costs',
  'can-gpt-5-generate-videos',
  'gpt-5-use-cases',
  'is-gpt-5-a-letdown',
  'gpt-5-agent-building-tutorial',
].map((slug) => `/blog/${slug}`);

/** Every path of the specification, section 2, that a guest may open, and the guides added later. */
export const guestPaths = [
  ...['/', '/chat', '/tools', ...tools, '/pricing', '/dashboard', '/blog', ...articles],
  ...[
    '/about',
    '/contact',
    '/privacy',
    '/terms',
    '/cookies',
    '/use-cases',
    '/sitemap',
    '/error',
    '/auth/callback',
  ],
];
