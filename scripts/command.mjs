import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { build, checkOwnNode, install, productNode, siteEnvironment } from './lib/prepare.mjs';
import { inProject, PlainError, siteFolder } from './lib/project.mjs';

// `npm run audit` and similar: runs one of the operator's commands from the same build as the server.

try {
  checkOwnNode();
  await install();
  const node = productNode();
  await build(node, { afterRollback: false });
  const [name = '', ...args] = process.argv.slice(2);
  const entry = inProject('build', 'server', `${name}.js`);
  if (!/^[a-z-]+$/.test(name) || !existsSync(entry)) throw new PlainError(`There is no command "${name}".`);
  const command = spawn(node, [entry, ...args], {
    cwd: siteFolder,
    env: { ...siteEnvironment(), NODE_ENV: 'production' },
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
