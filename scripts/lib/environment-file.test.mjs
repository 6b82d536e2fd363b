import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEnvironmentFile } from './environment-file.mjs';
import { PlainError } from './project.mjs';

let folder;
let file;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'environment-'));
  file = join(folder, '.env');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function parse(text, mode = 0o600) {
  writeFileSync(file, text);
  chmodSync(file, mode);
  return readEnvironmentFile(file);
}

it('reads names, quotes, comments and empty values', () => {
  const { values, warnings } = parse(
    [
      '# a remark',
      '',
      'PORT=3000',
      'PUBLIC_URL = https://example.com # the address',
      'MAIL_FROM="Example <hello@example.com>" # the sender',
      "AUTH_SECRET='a#b=c'",
      'export LOG_LEVEL=warn',
      'SMTP_URL=smtp://user:p%23ss@mail.example.com:587',
      'LLM_API_KEY=',
    ].join('\r\n'),
  );
  expect(values).toEqual({
    PORT: '3000',
    PUBLIC_URL: 'https://example.com',
    MAIL_FROM: 'Example <hello@example.com>',
    AUTH_SECRET: 'a#b=c',
    LOG_LEVEL: 'warn',
    SMTP_URL: 'smtp://user:p%23ss@mail.example.com:587',
    LLM_API_KEY: '',
  });
  expect(warnings).toEqual([]);
});

it('returns nothing if the file does not exist', () => {
  expect(readEnvironmentFile(file)).toEqual({ values: {}, warnings: [] });
});

it('warns if every account on the machine can read the file', () => {
  expect(parse('PORT=3000', 0o640).warnings).toEqual([]);
  expect(parse('PORT=3000', 0o644).warnings).toEqual([
    `Other accounts on this machine can read ${file}. To fix it: chmod o= ${file}`,
  ]);
});

describe('names the line that it cannot parse, without its value', () => {
  it.each([
    ['AUTH_SECRET: hunter2', 'must be NAME=value.'],
    ['hunter2', 'must be NAME=value.'],
    ['MAIL_FROM=Example <hunter2@example.com>', 'put a value with spaces in quotes.'],
    ['MAIL_FROM="hunter2', 'the quote is not closed.'],
    ['MAIL_FROM="Example" <hunter2@example.com>', 'remove the text after the closing quote.'],
  ])('%s', (line, problem) => {
    expect(() => parse(`PORT=3000\n${line}\n`)).toThrow(new PlainError(`${file}, line 2: ${problem}`));
  });
});
