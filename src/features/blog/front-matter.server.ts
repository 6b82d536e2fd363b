import * as z from 'zod';
import { textLength } from '#shared/text-length.ts';
import { type Article, sections } from './contract.ts';

const date = z.iso.date('must be a date such as 2026-11-21');

const schema = z
  .strictObject({
    title: z.string('is missing').min(1).max(65, 'has more than 65 characters'),
    description: z
      .string('is missing')
      .min(110, 'has under 110 characters')
      .max(160, 'has over 160 characters'),
    intro: z.string('is missing').min(1),
    section: z.enum(sections, `must be one of ${sections.join(', ')}`),
    tags: z.array(z.string()).min(1).max(6),
    published: date,
    updated: date,
    related: z.array(z.string()).length(3, 'must name three articles'),
    opinion: z.optional(z.literal(true)),
  })
  .refine(({ published, updated }) => updated >= published, {
    path: ['updated'],
    error: 'is before published',
  })
  .refine(({ related }) => new Set(related).size === related.length, {
    path: ['related'],
    error: 'repeats one',
  });

/** Parses the subset of YAML that our articles use: plain and quoted strings, true, lists of plain words. */
function parseValue(text: string): unknown {
  if (text.startsWith('"')) return JSON.parse(text);
  if (text.startsWith('['))
    return text
      .slice(1, text.endsWith(']') ? -1 : undefined)
      .split(',')
      .map((item) => item.trim());
  return text === 'true' ? true : text;
}

function parseFields(head: string): Record<string, unknown> {
  return Object.fromEntries(
    head.split('\n').map((line) => {
      const [, key, value] = /^(\w+): +(\S.*)$/.exec(line) ?? [];
      if (key === undefined || value === undefined) throw new Error(`the line "${line}" is not "key: value"`);
      return [key, parseValue(value.trimEnd())];
    }),
  );
}

const countableText = (body: string) =>
  body.replace(/\n## Sources \{#sources\}[\s\S]*$/, '').replace(/^```prompt\n([\s\S]*?)^```$/gm, '$1');

function parseArticle(slug: string, source: string): { article: Article; body: string } {
  const [, head, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source.replaceAll('\r\n', '\n')) ?? [];
  if (head === undefined || body === undefined) throw new Error('it has no front matter');
  const result = schema.safeParse(parseFields(head));
  if (!result.success)
    throw new Error(
      result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '),
    );
  let words: number | undefined;
  const article = {
    ...result.data,
    slug,
    opinion: result.data.opinion === true,
    // Lazy, because counting the words of all articles would take a twentieth of the startup time.
    get words() {
      words ??= textLength(countableText(body)).words;
      return words;
    },
  };
  return { article, body };
}

/** @throws Error with the file and what is wrong in it */
export function readArticle(slug: string, source: string): { article: Article; body: string } {
  try {
    return parseArticle(slug, source);
  } catch (error) {
    throw new Error(`content/articles/${slug}.md: ${error instanceof Error ? error.message : error}`);
  }
}
