import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cpuTime } from '#tests/support/cpu-time.ts';
import { extractScreenplay } from './extract-screenplay.ts';
import { parseFountain } from './parse-fountain.ts';

const SCRIPT = 'Title: A Door\n\nFADE IN:\n\nINT. ROOM - DAY\n\nA door.\n\nMARA\nCome in.\n';

it.each([
  ['as it is', SCRIPT],
  ['in a fence', `\`\`\`fountain\n${SCRIPT}\`\`\``],
  ['in an unclosed fence', `\`\`\`\n${SCRIPT}`],
  [
    'between remarks',
    `Sure, here it is:\n\n${SCRIPT}\n\n---\n\nLet me know if you want changes.\n\nI hope it helps!`,
  ],
  [
    'with bold names and headings as Markdown',
    SCRIPT.replace('MARA', '**MARA**').replace('INT. ROOM', '### INT. ROOM'),
  ],
  ['with Windows line breaks', SCRIPT.replaceAll('\n', '\r\n')],
  ['after an answer without one', `I cannot format this.\f${SCRIPT}`],
  ['before an empty second answer', `${SCRIPT}\f`],
  ['with a heading directly above its action', SCRIPT.replace('DAY\n\n', 'DAY\n')],
])('finds a screenplay %s', (_name, answer) => expect(extractScreenplay(answer)).toBe(SCRIPT));

it('keeps text within a screenplay that looks like a remark', () => {
  const script = 'INT. ROOM - DAY\n\nMARA\nHere is what I hope: let me know.\n\nSure. She nods.\n';
  expect(extractScreenplay(script)).toBe(script);
  expect(extractScreenplay('Rain falls.\n\nINT. ROOM - DAY\n')).toBe('Rain falls.\n\nINT. ROOM - DAY\n');
  expect(extractScreenplay(' \n')).toBe('');
});

it('changes nothing when it is run again', () => {
  const line = fc.constantFrom(
    '',
    '```',
    '---',
    '**BOB**',
    'Hi.',
    'INT. A - DAY',
    '# INT. B - DAY',
    'Sure',
    'I hope so.',
    '(x)',
    'Title: X',
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 14 }), (lines) => {
      const first = extractScreenplay(lines.join('\n'));
      fc.pre(!/```|^I hope|^Sure/m.test(first));
      expect(extractScreenplay(first)).toBe(first);
    }),
  );
});

it('takes linear time', () => {
  for (const piece of [
    '\f',
    '```\n',
    '**',
    '**A**\n',
    'I hope\n\n',
    '\n',
    ' \n',
    '#',
    'INT. A\n',
    'Sure\n',
  ]) {
    const text = piece.repeat(200_000 / piece.length);
    expect(
      cpuTime(() => void parseFountain(extractScreenplay(text))),
      piece,
    ).toBeLessThan(3_000);
  }
});
