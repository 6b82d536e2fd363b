import { unstyledText } from './inline-styles.ts';
import { printRows } from './print-rows.ts';
import type { Screenplay } from './screenplay.ts';
import { columnsOf } from './wrap-text.ts';

export function screenplayText(screenplay: Screenplay): string {
  const title = screenplay.title.map(({ key, values }) => `${key}: ${values.map(unstyledText).join(', ')}`);
  const groups = printRows(screenplay).map(({ rows }) =>
    rows
      .map(({ cells }) => {
        let line = '';
        let column = 0;
        for (const { at, runs } of cells) {
          line += ' '.repeat(Math.max(0, at - column)) + runs.map(({ text }) => text).join('');
          column = Math.max(at, column) + columnsOf(runs);
        }
        return line.trimEnd();
      })
      .join('\n'),
  );
  return `${[...(title.length > 0 ? [title.join('\n')] : []), ...groups.filter((text) => text !== '')].join('\n\n')}\n`;
}
