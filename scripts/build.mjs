import { build, checkOwnNode, install, productNode } from './lib/prepare.mjs';
import { PlainError } from './lib/project.mjs';

// `npm run build`: creates the build that the next start uses; a running build is not changed.

try {
  checkOwnNode();
  await install();
  await build(productNode());
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
