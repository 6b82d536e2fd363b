import { runsOf, styledLine, withoutNotes } from './inline-styles.ts';
import type { Block, Screenplay } from './screenplay.ts';

const escaped = (text: string): string =>
  text.replace(/[\\`*_[\]<>#|~]/g, '\\$&').replace(/^(\s*)([-+]|\d+[.)])(?=\s)/, '$1\\$2');

const line = (text: string): string =>
  runsOf(styledLine(text))
    .map(({ text: runText, bold, italic }) => {
      const mark = (bold ? '**' : '') + (italic ? '*' : '');
      const [, before = '', words = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(runText) ?? [];
      return mark === '' || words === ''
        ? escaped(runText)
        : before + mark + escaped(words) + [...mark].reverse().join('') + after;
    })
    .join('');

const lines = (text: string): string =>
  withoutNotes(text)
    .split('\n')
    .map((each) => line(each.trim()))
    .join('\\\n');

function markdownOf(block: Block): string | null {
  switch (block.type) {
    case 'scene':
      return `## ${line(block.text.toUpperCase())}${block.number === null ? '' : ` (${escaped(block.number)})`}`;
    case 'action':
      return withoutNotes(block.text).trim() === '' ? null : lines(block.text);
    case 'dialogue': {
      const speech = block.speech.map(({ type, text }) =>
        type === 'parenthetical' ? `*(${escaped(text)})*` : lines(text),
      );
      return [`**${escaped(block.character)}**`, ...speech]
        .map((each) => `> ${each.replaceAll('\n', '\n> ')}`)
        .join('\\\n');
    }
    case 'lyrics':
      return `> ♪ ${lines(block.text).replaceAll('\n', '\n> ')}`;
    case 'transition':
    case 'centered':
      return `*${escaped(block.text)}*`;
    case 'section':
      return `${'#'.repeat(Math.min(6, block.depth + 2))} ${line(block.text)}`;
    case 'page-break':
      return '---';
    default:
      return null;
  }
}

export function screenplayMarkdown({ title, blocks }: Screenplay): string {
  const front = title.map(({ key, values }) =>
    key.toLowerCase() === 'title'
      ? `# ${line(values.join(' '))}`
      : `${escaped(key)}: ${values.map(line).join(', ')}`,
  );
  const parts = blocks.map(markdownOf).filter((part) => part !== null);
  return `${[...front, ...parts].join('\n\n')}\n`;
}
