import type { RichBlock, RichRun, RichText } from '#shared/rich-text.ts';

const addressOf = (link: string) => link.replace(/^mailto:/, '');

function line(runs: RichRun[]): string {
  return runs
    .map(({ text, link }) => (link && addressOf(link) !== text ? `${text} (${addressOf(link)})` : text))
    .join('');
}

const indented = (text: string, prefix: string) => text.replaceAll('\n', `\n${prefix}`);

function renderBlock(block: RichBlock): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return line(block.runs);
    case 'list':
      return block.items
        .map((item, at) => {
          const mark = block.ordered ? `${block.start + at}. ` : '- ';
          return mark + indented(item.map(renderBlock).join('\n'), ' '.repeat(mark.length));
        })
        .join('\n');
    case 'quote':
      return `  ${indented(block.blocks.map(renderBlock).join('\n\n'), '  ')}`;
    case 'code':
      return block.text;
    case 'table':
      return block.rows.map((row) => row.map(line).join('\t')).join('\n');
    case 'rule':
      return '* * *';
  }
}

export const renderPlainText = (text: RichText): string => `${text.map(renderBlock).join('\n\n').trim()}\n`;
