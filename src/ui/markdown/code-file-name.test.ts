import { expect, test } from 'vitest';
import { codeFileName } from './code-file-name.ts';

test.each([
  ['python', 'code.py'],
  ['py', 'code.py'],
  ['TypeScript', 'code.ts'],
  ['tsx', 'code.tsx'],
  ['sh', 'code.sh'],
  ['c++', 'code.cpp'],
  ['html', 'code.html'],
  ['svg', 'code.svg'],
  ['xml', 'code.xml'],
  ['mermaid', 'code.mmd'],
  ['md', 'code.md'],
  ['toml', 'code.toml'],
  ['csv', 'code.csv'],
  ['dockerfile', 'Dockerfile'],
  ['make', 'Makefile'],
  ['', 'code.txt'],
  ['brainfuck', 'code.txt'],
  ['constructor', 'code.txt'],
  ['__proto__', 'code.txt'],
  ['js title="app.config.js"', 'app.config.js'],
  ['python main.py', 'main.py'],
  ['ts:src/app.ts', 'app.ts'],
  ['js {1,3-4}', 'code.js'],
  ['js ../../etc/passwd.sh', 'passwd.sh'],
])('code of “%s” is saved as %s', (info, name) => {
  expect(codeFileName(info)).toBe(name);
});
