import { Problem } from '#platform/http/problem.server.ts';
import { cleanInput, cleanInputLine, codePointLength } from '#shared/input-text.ts';
import { openingOf, type PromptBody, promptLimits, promptTexts } from './contract.ts';
import type { PromptFields } from './own-prompts-store.server.ts';

/** @throws Problem bad_request */
export function validatePrompt({ title, description, content, category }: PromptBody): PromptFields {
  const text = {
    title: cleanInputLine(title),
    description: cleanInputLine(description ?? ''),
    content: cleanInput(content),
  };
  const badRequest = (message: string) => new Problem('bad_request', message);
  const { titleLength, descriptionLength, minContentLength, contentLength } = promptLimits;
  if (text.title === '' || codePointLength(text.title) > titleLength) throw badRequest(promptTexts.title());
  if (codePointLength(text.description) > descriptionLength) throw badRequest(promptTexts.description());
  const length = codePointLength(text.content);
  if (length < minContentLength || length > contentLength) throw badRequest(promptTexts.content());
  return { ...text, opening: openingOf(text.content), category };
}
