import type { RichBlock, RichRun, RichText } from '#shared/rich-text.ts';
import { readRichText } from './read-rich-text.ts';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? character);

function runHtml({ text, bold, italic, strike, code, link }: RichRun): string {
  if (text === '\n') return '<br>';
  let html = escaped(text);
  if (code) html = `<code>${html}</code>`;
  if (strike) html = `<s>${html}</s>`;
  if (italic) html = `<em>${html}</em>`;
  if (bold) html = `<strong>${html}</strong>`;
  return link ? `<a href="${escaped(link)}">${html}</a>` : html;
}

const line = (runs: RichRun[]) => runs.map(runHtml).join('');

function itemHtml([first, ...rest]: RichBlock[]): string {
  const start = first?.kind === 'paragraph' ? line(first.runs) : first ? blockHtml(first) : '';
  return `<li>${start}${rest.map(blockHtml).join('')}</li>`;
}

function blockHtml(block: RichBlock): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${line(block.runs)}</h${block.level}>`;
    case 'paragraph':
      return `<p>${line(block.runs)}</p>`;
    case 'list': {
      const items = block.items.map(itemHtml).join('');
      const start = block.start === 1 ? '' : ` start="${block.start}"`;
      return block.ordered ? `<ol${start}>${items}</ol>` : `<ul>${items}</ul>`;
    }
    case 'quote':
      return `<blockquote>${block.blocks.map(blockHtml).join('')}</blockquote>`;
    case 'code':
      return `<pre><code>${escaped(block.text)}</code></pre>`;
    case 'table': {
      const rows = block.rows.map((row, at) => {
        const tag = at === 0 ? 'th' : 'td';
        return `<tr>${row.map((cell) => `<${tag}>${line(cell)}</${tag}>`).join('')}</tr>`;
      });
      return `<table>${rows.join('')}</table>`;
    }
    case 'rule':
      return '<hr>';
  }
}

const html = (text: RichText) => text.map(blockHtml).join('\n');

export const markdownToHtml = (markdown: string): string => html(readRichText(markdown));
