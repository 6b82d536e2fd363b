import { escapeXml } from '../escape-xml.ts';
import { type Run, runsOf, styledLine, withoutNotes } from './inline-styles.ts';
import { isHeading } from './parse-fountain.ts';
import type { Block, Screenplay, TitleEntry } from './screenplay.ts';

const SHOT =
  /^(?:close|closer|closeup|close-up|angle|insert|pov|wide|tight|tracking|aerial|reverse|two[- ]shot|establishing)\b/i;

function textElement({ text, bold, italic, underline }: Run, extraStyles: string[] = []): string {
  const styles = [bold && 'Bold', italic && 'Italic', underline && 'Underline', ...extraStyles].filter(
    Boolean,
  );
  const style = styles.length > 0 ? ` Style="${[...new Set(styles)].join('+')}"` : '';
  return `<Text${style}>${escapeXml(text)}</Text>`;
}

const texts = (line: string, extraStyles: string[] = []): string =>
  runsOf(styledLine(line))
    .map((run) => textElement(run, extraStyles))
    .join('');

/** A line break inside a `Text` element is ignored by readers, so each line becomes a paragraph. */
const paragraph = (type: string, text: string, attributes = '', extraStyles: string[] = []): string =>
  withoutNotes(text)
    .split('\n')
    .map(
      (line, at) =>
        `<Paragraph Type="${type}"${at === 0 ? attributes : continued(attributes)}>${texts(line, extraStyles)}</Paragraph>`,
    )
    .join('\n');

const continued = (attributes: string) => attributes.replace(/ (?:StartsNewPage|Number)="[^"]*"/g, '');

function dialogue({ character, speech }: Block & { type: 'dialogue' }): string[] {
  return [
    paragraph('Character', character),
    ...speech.map(({ type, text }) =>
      type === 'parenthetical'
        ? paragraph('Parenthetical', `(${text})`)
        : paragraph('Dialogue', text, '', type === 'lyrics' ? ['Italic'] : []),
    ),
  ];
}

function paragraphs(block: Block, attributes: string): string[] {
  switch (block.type) {
    case 'scene': {
      const type = !isHeading(block.text) && SHOT.test(block.text) ? 'Shot' : 'Scene Heading';
      const number = block.number === null ? '' : ` Number="${escapeXml(block.number)}"`;
      return [paragraph(type, block.text.toUpperCase(), number + attributes)];
    }
    case 'action':
      return block.text !== '' && withoutNotes(block.text).trim() === ''
        ? []
        : [paragraph('Action', block.text, attributes)];
    case 'dialogue':
      return dialogue(block);
    case 'lyrics':
      return [paragraph('Action', block.text, attributes, ['Italic'])];
    case 'transition':
      return [paragraph('Transition', block.text, attributes)];
    case 'centered':
      return [paragraph('Action', block.text, ` Alignment="Center"${attributes}`)];
    default:
      return [];
  }
}

function titlePage(title: TitleEntry[]): string {
  const lines = title.flatMap(({ key, values }) =>
    /^(title|credit|authors?|source)$/i.test(key)
      ? values.map((value) => `<Paragraph Alignment="Center">${texts(withoutNotes(value))}</Paragraph>`)
      : values.map((value) => `<Paragraph Alignment="Left">${texts(withoutNotes(value))}</Paragraph>`),
  );
  return lines.length > 0 ? `<TitlePage><Content>${lines.join('\n')}</Content></TitlePage>` : '';
}

/** Returns a document of version 4, which Final Draft 8 and later read. Leaves out sections, synopses and notes. */
export function finalDraftXml({ title, blocks }: Screenplay): string {
  const content: string[] = [];
  let attributes = '';
  for (const [at, block] of blocks.entries()) {
    const next = blocks[at + 1];
    if (block.type === 'page-break') {
      attributes = ' StartsNewPage="Yes"';
      continue;
    }
    if (block.type === 'dialogue' && next?.type === 'dialogue' && next.dual && !block.dual) {
      const both = [...dialogue(block), ...dialogue(next)];
      content.push(`<Paragraph><DualDialogue>\n${both.join('\n')}\n</DualDialogue></Paragraph>`);
      continue;
    }
    const previous = blocks[at - 1];
    if (block.type === 'dialogue' && block.dual && previous?.type === 'dialogue' && !previous.dual) continue;
    const added = paragraphs(block, attributes);
    content.push(...added);
    if (added.length > 0) attributes = '';
  }
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="no" ?>',
    '<FinalDraft DocumentType="Script" Template="No" Version="4">',
    '<Content>',
    ...content,
    '</Content>',
    titlePage(title),
    '</FinalDraft>',
    '',
  ]
    .filter((line, at, all) => line !== '' || at === all.length - 1)
    .join('\n');
}
