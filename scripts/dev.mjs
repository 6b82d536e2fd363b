import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { build, checkOwnNode, install, productNode, siteEnvironment } from './lib/prepare.mjs';
import { inProject, PlainError, root } from './lib/project.mjs';
import { serverFlags } from './lib/server-flags.mjs';

// `npm run dev`: rebuilds and restarts after each change, with the same build and server as `npm start`, so that
// development and production behave the same. A build takes about 3 s.

const WATCHED = ['src', 'content', 'messages', 'migrations', 'standins', 'vite', 'public'];
const DEBOUNCE_MS = 200;

let server;
let timer;
let queue = Promise.resolve();

function stop() {
  if (!server || server.exitCode !== null) return Promise.resolve();
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  return ended;
}

async function rebuild() {
  try {
    await build(productNode());
  } catch (error) {
    if (!(error instanceof PlainError)) throw error;
    console.error(error.message);
    return;
  }
  await stop();
  const env = {
    // A restart does not wait for running replies.
    DRAIN_SECONDS: '0',
    LOG_LEVEL: 'info',
    ...siteEnvironment(),
    NODE_ENV: 'production',
  };
  server = spawn(productNode(), [...serverFlags, inProject('build', 'server', 'main.js')], {
    cwd: root,
    env,
    stdio: 'inherit',
    detached: true,
  });
}

function onChange() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    queue = queue.then(rebuild);
  }, DEBOUNCE_MS);
}

try {
  checkOwnNode();
  await install();
  await rebuild();
  for (const folder of WATCHED.filter((name) => existsSync(inProject(name)))) {
    watch(inProject(folder), { recursive: true }, onChange);
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop().then(() => process.exit(0)));
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
