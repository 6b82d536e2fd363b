/** Two articles that fit a tool, by the feature's name: its page shows them to guests. */
export const toolArticles: Readonly<Record<string, readonly [string, string]>> = {
  chat: ['chatgpt-alternatives', 'what-is-gpt-5'],
  writer: ['prompts-for-everyday-work', 'prompt-engineering-guide'],
  script: ['screenplay-format', 'can-gpt-5-generate-videos'],
  image: ['ai-image-sizes-and-rights', 'prompt-engineering-guide'],
  pdf: ['summarize-a-pdf', 'gpt-5-ai-ethics-safety'],
  prompts: ['prompt-engineering-guide', '50-gpt-5-prompts'],
};
