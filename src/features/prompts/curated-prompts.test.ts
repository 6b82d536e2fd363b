import { describe, expect, test } from 'vitest';
import { curatedPrompts } from '#content/prompts/all.ts';
import { promptTags } from '#content/prompts/tags.ts';
import { fillPrompt } from '#shared/fill-prompt.ts';
import { cleanInput, cleanInputLine, codePointLength } from '#shared/input-text.ts';
import { parsePrompt, variablesOf } from '#shared/parse-prompt.ts';
import { categories, openingOf, promptLimits } from './contract.ts';

const valuesOf = <K extends 'slug' | 'title' | 'description'>(key: K) =>
  curatedPrompts.map((prompt) => prompt[key]);
const countDistinct = (texts: string[]) => new Set(texts.map((text) => text.toLowerCase())).size;

describe('the collection', () => {
  test('has at least 80 prompts, spread evenly, about a quarter of them locked', () => {
    expect(curatedPrompts.length).toBeGreaterThanOrEqual(80);
    for (const category of categories) {
      const own = curatedPrompts.filter((prompt) => prompt.category === category);
      expect(own.length, category).toBeGreaterThanOrEqual(20);
      expect(own.filter(({ pro }) => pro).length, category).toBeGreaterThanOrEqual(4);
    }
    const locked = curatedPrompts.filter(({ pro }) => pro).length / curatedPrompts.length;
    expect(locked).toBeGreaterThan(0.2);
    expect(locked).toBeLessThan(0.3);
  });

  test('has tags for exactly its own prompts', () => {
    expect(Object.keys(promptTags).toSorted()).toEqual(valuesOf('slug').toSorted());
  });

  test('has no duplicate slug, title or description', () => {
    for (const key of ['slug', 'title', 'description'] as const)
      expect(countDistinct(valuesOf(key)), key).toBe(curatedPrompts.length);
  });

  test('has no two prompts that are nearly the same', () => {
    /** Every run of five words, without variables. */
    const shingles = (content: string) => {
      const words =
        content
          .replace(/\{\{.*?\}\}/g, ' ')
          .toLowerCase()
          .match(/\p{L}+/gu) ?? [];
      return new Set(words.slice(4).map((_, at) => words.slice(at, at + 5).join(' ')));
    };
    const sets = curatedPrompts.map(({ slug, content }) => ({ slug, own: shingles(content) }));
    const similar = sets.flatMap((a, at) =>
      sets.slice(at + 1).flatMap((b) => {
        const common = [...a.own].filter((run) => b.own.has(run)).length;
        return common / Math.min(a.own.size, b.own.size) > 0.1 ? [`${a.slug} ${b.slug} ${common}`] : [];
      }),
    );
    expect(similar).toEqual([]);
  });
});

describe.each(curatedPrompts.map((prompt) => [prompt.slug, prompt] as const))('%s', (slug, prompt) => {
  test('has a permanent address and texts of the right length', () => {
    expect(slug).toMatch(/^[a-z]+(?:-[a-z0-9]+)*$/);
    // Slugs of people's prompts end in ten hexadecimal digits.
    expect(slug).not.toMatch(/-[0-9a-f]{10}$/);
    expect(codePointLength(prompt.title)).toBeLessThanOrEqual(promptLimits.titleLength);
    expect(codePointLength(prompt.description)).toBeLessThanOrEqual(promptLimits.descriptionLength);
    expect(prompt.content.split(/\s+/).length).toBeGreaterThanOrEqual(70);
    expect(codePointLength(prompt.content)).toBeLessThanOrEqual(promptLimits.contentLength);
    expect([cleanInputLine(prompt.title), cleanInput(prompt.content)]).toEqual([
      prompt.title,
      prompt.content,
    ]);
  });

  test('has search tags, and an editor’s rating only with its reason', () => {
    expect(prompt.tags.length).toBeGreaterThanOrEqual(2);
    for (const tag of prompt.tags) expect(tag).toBe(cleanInputLine(tag).toLowerCase());
    if (!prompt.editorRating) return;
    expect(prompt.editorRating.value).toBeGreaterThanOrEqual(0);
    expect(prompt.editorRating.value).toBeLessThanOrEqual(5);
    expect(codePointLength(prompt.editorRating.reason)).toBeGreaterThan(20);
  });

  test('has only valid variables, at least one of them required', () => {
    const parts = parsePrompt(prompt.content);
    const variables = variablesOf(parts);
    expect(parts.filter((part) => 'text' in part && /\{\{|\}\}/.test(part.text))).toEqual([]);
    expect(variables.filter(({ required }) => required).length).toBeGreaterThanOrEqual(1);
    const values = Object.fromEntries(
      variables.filter(({ required }) => required).map(({ name }) => [name, `«${name}»`]),
    );
    const filled = fillPrompt(parts, values);
    for (const value of Object.values(values)) expect(filled).toContain(value);
    // An empty optional variable must not leave a label without a value, or a space before punctuation.
    expect(filled).not.toMatch(/:[ \t]*(?:\n[ \t]*\n|$)|[^.] [.,;:?](?![a-z\d.])| {2}\S/);
  });

  test('shows at most a third of its text as its opening', () => {
    const opening = openingOf(prompt.content);
    expect(opening.length).toBeGreaterThan(40);
    expect(opening.length).toBeLessThanOrEqual(prompt.content.length / 3);
    expect(prompt.content.replace(/\n+/g, '\n').startsWith(opening)).toBe(true);
  });
});
