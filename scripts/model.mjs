import { spawn } from 'node:child_process';
import { checkOwnNode, install, productNode, siteEnvironment } from './lib/prepare.mjs';
import { inProject, isRelease, PlainError, siteFolder } from './lib/project.mjs';

// `npm run model`: installs a model on this machine, which the site uses from its next start.

try {
  checkOwnNode();
  if (isRelease) throw new PlainError('A release has no runtime for models. Run this where the sources are.');
  await install();
  const args = [inProject('model', 'main.ts'), ...process.argv.slice(2)];
  // Makes the download use HTTPS_PROXY if it is set.
  const env = { NODE_USE_ENV_PROXY: '1', ...siteEnvironment() };
  const command = spawn(productNode(), args, { cwd: siteFolder, env, stdio: 'inherit' });
  command.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
