import { Problem } from '#platform/http/problem.server.ts';
import { cleanInput, cleanInputLine, codePointLength } from '#shared/input-text.ts';
import { openingOf, type PromptBody, promptLimits, promptTexts } from './contract.ts';
import type { PromptFields } from './own-prompts-store.server.ts';

/** @throws Problem bad_request */
export function parsePrompt({ title, description, content, category }: PromptBody): PromptFields {
  const text = {
    title: cleanInputLine(title),
    description: cleanInputLine(description ?? ''),
    content: cleanInput(content),
  };
  const refuse = (words: string) => new Problem('bad_request', words);
  const { titleLength, descriptionLength, contentLeast, contentLength } = promptLimits;
  if (text.title === '' || codePointLength(text.title) > titleLength) throw refuse(promptTexts.title());
  if (codePointLength(text.description) > descriptionLength) throw refuse(promptTexts.description());
  const length = codePointLength(text.content);
  if (length < contentLeast || length > contentLength) throw refuse(promptTexts.content());
  return { ...text, opening: openingOf(text.content), category };
}
