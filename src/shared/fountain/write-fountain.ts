import { isCharacter, isHeading, isNoteOpenAfter, isTransition } from './parse-fountain.ts';
import type { Block, Screenplay, Speech, TitleEntry } from './screenplay.ts';
import { startsTitlePage } from './title-page.ts';

function titleLines(title: TitleEntry[]): string {
  return title
    .map(({ key, values }) =>
      values.length > 1
        ? [`${key}:`, ...values.map((value) => `    ${value}`)].join('\n')
        : `${key}: ${values[0] ?? ''}`.trimEnd(),
    )
    .join('\n');
}

function isMisread(line: string, isAlone: boolean): boolean {
  const text = line.trim();
  if (text === '' || /^(?:[!~#=>]|\.[\p{L}\p{N}])/u.test(text) || isHeading(text)) return true;
  return isAlone ? isTransition(text) : text.startsWith('@') || isCharacter(text);
}

function actionLines(text: string, isFirst: boolean): string {
  let open = false;
  const lines = text.split('\n');
  return lines
    .map((line, at) => {
      if (open && line === '') return '  ';
      const isForced =
        !open &&
        (at === 0
          ? isMisread(line, lines.length === 1) || (isFirst && startsTitlePage(line))
          : line.trim() === '' || /^[!~#=>]/.test(line.trim()));
      open = isNoteOpenAfter(line, open);
      return isForced ? `!${line}` : line;
    })
    .join('\n');
}

function speechLines({ type, text }: Speech): string {
  if (type === 'parenthetical') return `(${text})`;
  const mark = type === 'lyrics' ? '~' : '';
  return text
    .split('\n')
    .map((line) => mark + line || '  ')
    .join('\n');
}

function blockLines(block: Block, isFirst: boolean): string {
  const markUnlessNatural = (isNatural: boolean, text: string, mark: string) =>
    isNatural && !(isFirst && startsTitlePage(text)) ? text : mark + text;
  switch (block.type) {
    case 'scene':
      return (
        markUnlessNatural(isHeading(block.text), block.text, '.') +
        (block.number === null ? '' : ` #${block.number}#`)
      );
    case 'action':
      return actionLines(block.text, isFirst);
    case 'dialogue': {
      const isNatural = isCharacter(block.character) && !isHeading(block.character);
      const name = markUnlessNatural(isNatural, block.character, '@') + (block.dual ? ' ^' : '');
      return [name, ...block.speech.map(speechLines)].join('\n');
    }
    case 'lyrics':
      return speechLines(block);
    case 'transition':
      return markUnlessNatural(isTransition(block.text) && !isHeading(block.text), block.text, '> ');
    case 'centered':
      return `> ${block.text} <`;
    case 'section':
      return `${'#'.repeat(block.depth)} ${block.text}`.trimEnd();
    case 'synopsis':
      return `= ${block.text}`.trimEnd();
    case 'note':
      return `[[${block.text.replace(/^$/gm, '  ')}]]`;
    case 'page-break':
      return '===';
  }
}

/** Parsing the result gives the same screenplay. Writes forcing marks only where they are needed. */
export function writeFountain({ title, blocks }: Screenplay): string {
  const parts = blocks.map((block, at) => blockLines(block, at === 0 && title.length === 0));
  if (title.length > 0) parts.unshift(titleLines(title));
  return parts.length > 0 ? `${parts.join('\n\n')}\n` : '';
}
