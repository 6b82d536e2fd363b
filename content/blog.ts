/** Slugs of the articles (`content/articles/SLUG.md`) in the order in which those of one day stand in the blog. */
export const blogOrder = [
  'what-is-gpt-5',
  'prompt-engineering-guide',
  '50-gpt-5-prompts',
  'gpt-5-release-tracker',
  'gpt-5-use-cases',
  'reduce-chatgpt5-api-costs',
  'gpt-5-agent-building-tutorial',
  'gpt-5-for-business',
  'gpt-5-vs-gemini',
  'gpt-5-vs-claude-3',
  'open-source-ai-models-comparison',
  'can-gpt-5-generate-videos',
  'gpt-5-technical-deep-dive',
  'gpt-5-industry-guides',
  'gpt-5-ai-ethics-safety',
  'is-gpt-5-a-letdown',
] as const;

/** The article at the top of the blog. */
export const featuredArticle: (typeof blogOrder)[number] = 'prompt-engineering-guide';
