import { spawn } from 'node:child_process';
import { build, checkOwnNode, environment, install, installSubproject, productNode } from './lib/prepare.mjs';
import { inProject, PlainError, root } from './lib/project.mjs';

// `npm run bench`: runs the benchmarks. `npm run bench -- streams` runs one part. All take about five minutes,
// without `lighthouse`, which runs only if named.

try {
  checkOwnNode();
  await install();
  if (process.argv.includes('lighthouse')) await installSubproject('tests/load/lighthouse');
  const node = productNode();
  await build(node);
  const args = [inProject('tests', 'load', 'main.ts'), ...process.argv.slice(2)];
  const bench = spawn(node, args, { cwd: root, env: environment(), stdio: 'inherit' });
  bench.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
