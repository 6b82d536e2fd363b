import { Marked, type Token, type Tokens } from 'marked';

export type Part = { html: string } | { slot: string };

export interface LegalDocument {
  title: string;
  description: string;
  /** ISO date, as is `updated`. */
  effective: string;
  updated: string;
  contents: Array<{ id: string; text: string }>;
  parts: Part[];
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '');

/** Escapes a fact for Markdown, so that operators can only insert plain text. */
const escapeMarkdown = (text: string) => text.replace(/[!-/:-@[-`{-~]/g, '\\$&');

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

const plainText = (tokens: Token[]): string =>
  tokens
    .map((token) =>
      'tokens' in token && token.tokens ? plainText(token.tokens) : (token as Tokens.Text).text,
    )
    .join('');

const marked = new Marked({
  renderer: {
    heading({ tokens, depth }) {
      return `<h${depth} id="${slug(plainText(tokens))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    // Legal texts contain no HTML; anything that looks like it is shown as text.
    html: ({ text }) => escapeHtml(text),
    table({ header, rows }) {
      const row = (cells: Tokens.TableCell[], tag: string) =>
        `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
      const label = header.map(({ text }) => text).join(', ');
      return `<section class="md-table" tabindex="0" aria-label="${escapeHtml(label)}"><table><thead>${row(header, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></section>\n`;
    },
  },
});

function fill(text: string, facts: Record<string, string>, escapeFact: (text: string) => string): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const fact = facts[name];
    if (fact === undefined) throw new Error(`A legal text names {{${name}}}, which is no fact of the site.`);
    // On one line, so that it cannot start a Markdown block.
    return escapeFact(fact.replace(/\s+/g, ' '));
  });
}

function frontMatter(source: string): { fields: Record<string, string>; body: string } {
  const [, head, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source.replaceAll('\r\n', '\n')) ?? [];
  if (head === undefined || body === undefined) throw new Error('A legal text has no front matter.');
  const lines = head.split('\n').map((line) => /^(\w+): (.+)$/.exec(line));
  return { fields: Object.fromEntries(lines.map((match) => [match?.[1], match?.[2]])), body };
}

/**
 * Parses a Markdown text with front matter (title, description, effective, updated), facts as `{{name}}`, and
 * paragraphs `{{slot:name}}`, which the page replaces with components. @throws Error for an invalid text.
 */
export function readLegalDocument(source: string, facts: Record<string, string>): LegalDocument {
  const { fields, body } = frontMatter(source);
  const { title, description, effective, updated } = fields;
  if (!title || !description || !effective || !updated)
    throw new Error('A legal text needs title, description, effective and updated.');
  const parts: Part[] = [];
  const contents: LegalDocument['contents'] = [];
  for (const token of marked.lexer(fill(body, facts, escapeMarkdown))) {
    const slot = /^\{\{slot:(\w+)\}\}$/.exec(token.raw.trim())?.[1];
    if (token.type === 'heading' && token.depth === 2) {
      const text = plainText(token.tokens ?? []);
      contents.push({ id: slug(text), text });
    }
    const last = parts.at(-1);
    const html = slot ? '' : marked.parser([token]);
    if (slot) parts.push({ slot });
    else if (last && 'html' in last) last.html += html;
    else parts.push({ html });
  }
  return {
    title,
    description: fill(description, facts, (text) => text),
    effective,
    updated,
    contents,
    parts,
  };
}
