/** Slugs of the articles (`content/articles/SLUG.md`) in the order in which those of one day stand in the blog. */
export const blogOrder = [
  'summarize-a-pdf',
  'ai-image-sizes-and-rights',
  'screenplay-format',
  'prompts-for-everyday-work',
  'chatgpt-alternatives',
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

/** What the cover of each article shows (src/features/blog/web/cover-motifs.ts). */
export const blogCovers = {
  'what-is-gpt-5': 'fork',
  'prompt-engineering-guide': 'blanks',
  '50-gpt-5-prompts': 'cards',
  'gpt-5-release-tracker': 'timeline',
  'gpt-5-use-cases': 'lines',
  'reduce-chatgpt5-api-costs': 'falling',
  'gpt-5-agent-building-tutorial': 'loop',
  'gpt-5-for-business': 'rising',
  'gpt-5-vs-gemini': 'pair',
  'gpt-5-vs-claude-3': 'ranges',
  'open-source-ai-models-comparison': 'three',
  'can-gpt-5-generate-videos': 'film',
  'gpt-5-technical-deep-dive': 'layers',
  'gpt-5-industry-guides': 'grid',
  'gpt-5-ai-ethics-safety': 'circles',
  'is-gpt-5-a-letdown': 'peak',
  'summarize-a-pdf': 'quote',
  'ai-image-sizes-and-rights': 'sizes',
  'screenplay-format': 'screenplay',
  'prompts-for-everyday-work': 'checklist',
  'chatgpt-alternatives': 'table',
} as const satisfies Record<(typeof blogOrder)[number], string>;
