import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { build, checkOwnNode, install, productNode, siteEnvironment } from './lib/prepare.mjs';
import { inProject, PlainError, siteFolder } from './lib/project.mjs';

// `npm run seed` fills a sandbox with sample users and their data; `npm run samples` generates the samples on the
// site's pages with a real model.

try {
  checkOwnNode();
  await install();
  const node = productNode();
  await build(node);
  const [name = '', ...args] = process.argv.slice(2);
  const entry = inProject('demo', `${name}.ts`);
  if (!/^(seed|samples)$/.test(name) || !existsSync(entry))
    throw new PlainError(`There is no command "${name}".`);
  const command = spawn(node, [entry, ...args], {
    cwd: siteFolder,
    env: siteEnvironment(),
    stdio: 'inherit',
  });
  command.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
