import { describe, expect, test } from 'vitest';
import { csvCell, csvLine } from './csv.ts';

describe('csvCell', () => {
  test.each([
    ['=HYPERLINK("http://x.test")', `"'=HYPERLINK(""http://x.test"")"`],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    ['\tx', "'\tx"],
    ['\rx', `"'\rx"`],
    ['\0x', "'\0x"],
    ['＝1', "'＝1"],
    ['Smith;=cmd()', `"Smith;'=cmd()"`],
    ['a; +1;-2', `"a; '+1;'-2"`],
    ['a;"=1+1"', `"a;""'=1+1"""`],
    ['a;\t=1', `"a;'\t'=1"`],
    ['a\n=1', `"a\n'=1"`],
    ['a;b - c', '"a;b - c"'],
    ['a-b=c', 'a-b=c'],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    [-1, '-1'],
    [10, '10'],
    [null, ''],
    ['', ''],
  ])('%j is %j', (value, cell) => expect(csvCell(value)).toBe(cell));
});

test('a line ends with CR LF', () => expect(csvLine(['a', -1, null, '=1'])).toBe("a,-1,,'=1\r\n"));
