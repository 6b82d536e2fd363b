/** Two articles that fit a tool, by the feature's name: its page shows them to guests. */
export const toolArticles: Readonly<Record<string, readonly [string, string]>> = {
  chat: ['what-is-gpt-5', '50-gpt-5-prompts'],
  writer: ['prompt-engineering-guide', '50-gpt-5-prompts'],
  script: ['can-gpt-5-generate-videos', 'gpt-5-use-cases'],
  image: ['can-gpt-5-generate-videos', 'prompt-engineering-guide'],
  pdf: ['gpt-5-use-cases', 'gpt-5-ai-ethics-safety'],
  prompts: ['prompt-engineering-guide', '50-gpt-5-prompts'],
};
