import { build, checkOwnNode, install, productNode } from './lib/prepare.mjs';
import { PlainError } from './lib/project.mjs';

// `npm run build`: makes the build that the next start takes, while the one that runs stays as it is.

try {
  checkOwnNode();
  await install();
  await build(productNode());
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
