import { Marked, type RendererObject, type Token, type Tokens } from 'marked';
import { m } from '#messages';
import { parsePrompt } from '#shared/parse-prompt.ts';
import { languageOf } from '#ui/markdown/code-languages.ts';
import type { ArticleText, Heading } from './contract.ts';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '');

const plainText = (tokens: Token[]): string =>
  tokens
    .map((token) =>
      'tokens' in token && token.tokens ? plainText(token.tokens) : (token as Tokens.Text).text,
    )
    .join('');

const anchorAt = /\s*\{#([a-z0-9-]+)\}$/;

function extractAnchor(heading: Tokens.Heading): string {
  const id = anchorAt.exec(heading.text)?.[1];
  const last = heading.tokens.at(-1);
  if (id === undefined || last?.type !== 'text')
    throw new Error(`the heading "${heading.text}" has no anchor`);
  last.text = last.text.replace(anchorAt, '');
  return id;
}

interface CodeHighlighter {
  paint: (grammar: string, code: string) => string;
}

interface Leaf {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: Leaf[];
}

function toHtml({ value, properties, children = [] }: Leaf): string {
  if (value !== undefined) return escapeHtml(value);
  const inner = children.map(toHtml).join('');
  const names = Array.isArray(properties?.className) ? properties.className.join(' ') : '';
  return names === '' ? inner : `<span class="${escapeHtml(names)}">${inner}</span>`;
}

async function loadHighlighter(): Promise<CodeHighlighter> {
  const { highlight } = await import('#ui/markdown/code-grammars.ts');
  return { paint: (grammar, code) => toHtml(highlight(grammar, code) as Leaf) };
}

const copyButton = (label: string) =>
  `<button type="button" class="js-only" data-copy-block="" aria-label="${escapeHtml(label)}"><span data-copy-label="" aria-live="polite">${escapeHtml(m.common_copy())}</span></button>`;

function promptBlock(source: string): string {
  const [, title, text] = /^title: *(\S.*)\n\n?([\s\S]+)$/.exec(source) ?? [];
  if (title === undefined || text === undefined)
    throw new Error(`the prompt "${source.slice(0, 40)}" has no title`);
  const words = parsePrompt(text.trimEnd())
    .map((part) =>
      'variable' in part ? `<span class="blank">${escapeHtml(part.source)}</span>` : escapeHtml(part.text),
    )
    .join('');
  const name = escapeHtml(title);
  return `<figure class="article-prompt"><figcaption><span class="eyebrow">${escapeHtml(m.common_prompt())}</span> <b>${name}</b></figcaption><pre data-copy-source=""><code>${words}</code></pre><div class="article-prompt-foot js-only">${copyButton(m.blog_copy_prompt({ title }))}<a href="/chat/new" rel="nofollow" data-use-in-chat="" aria-label="${escapeHtml(m.blog_use_prompt({ title }))}">${escapeHtml(m.blog_use_in_chat())}</a></div></figure>\n`;
}

function codeBlock({ lang = '', text }: Tokens.Code, { paint }: CodeHighlighter): string {
  const { grammar, label } = languageOf(lang);
  const name = label.charAt(0).toUpperCase() + label.slice(1);
  const code = grammar ? paint(grammar, text) : escapeHtml(text);
  return `<div class="md-code"><div class="md-code-head"><span>${escapeHtml(name)}</span>${copyButton(m.blog_copy_code({ language: name }))}</div><pre data-copy-source="" tabindex="0" role="group" aria-label="${escapeHtml(name)}"><code>${code}</code></pre></div>\n`;
}

function linkTarget(href: string, isBuilt: (path: string) => boolean): string | null {
  if (/^https:\/\//.test(href)) return href;
  if (href.startsWith('#')) return href;
  if (!/^\/(?![/\\])/.test(href)) return null;
  return isBuilt(href.replace(/[?#].*$/, '')) ? href : null;
}

function createRenderer(
  highlighter: CodeHighlighter,
  isBuilt: (path: string) => boolean,
): RendererObject<string, string> {
  return {
    heading({ tokens, depth, ...rest }) {
      const id = escapeHtml((rest as { id?: string }).id ?? '');
      return `<h${depth} id="${id}"><a class="heading-link" href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
    },
    code: (token) => (token.lang === 'prompt' ? promptBlock(token.text) : codeBlock(token, highlighter)),
    // Our articles contain no HTML.
    html: ({ text }) => escapeHtml(text),
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens);
      const target = linkTarget(href, isBuilt);
      return target === null ? words : `<a href="${escapeHtml(target)}">${words}</a>`;
    },
    image: ({ text }) => escapeHtml(text),
    table({ header, rows }) {
      const cell = ({ tokens, align }: Tokens.TableCell, tag: string) =>
        `<${tag}${align === 'right' ? ' class="md-right"' : ''}${tag === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(tokens)}</${tag}>`;
      const row = (cells: Tokens.TableCell[], tag: string) =>
        `<tr>${cells.map((each) => cell(each, tag)).join('')}</tr>`;
      const heads = header.map(({ tokens }) => plainText(tokens)).filter(Boolean);
      const label = m.common_table({ count: heads.length, columns: heads.join(', ') });
      return `<div class="md-table" role="group" tabindex="0" aria-label="${escapeHtml(label)}"><table><thead>${row(header, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>\n`;
    },
  };
}

/** Renders the article. Links to pages of ours that don't exist yet become plain text. */
export async function renderText(body: string, isBuilt: (path: string) => boolean): Promise<ArticleText> {
  const marked = new Marked({ renderer: createRenderer(await loadHighlighter(), isBuilt) });
  const contents: Heading[] = [];
  const anchors = new Set<string>();
  const tokens = marked.lexer(body);
  for (const token of tokens) {
    if (token.type !== 'heading') continue;
    const heading = token as Tokens.Heading & { id?: string };
    heading.id = extractAnchor(heading);
    if (anchors.has(heading.id)) throw new Error(`the anchor #${heading.id} is used twice`);
    anchors.add(heading.id);
    if (heading.depth === 2) contents.push({ id: heading.id, text: plainText(heading.tokens) });
  }
  return { html: marked.parser(tokens), contents };
}
