import { setTimeout as delay } from 'node:timers/promises';
import { siteEnvironment } from './lib/prepare.mjs';

// `site ready` (deploy/site@.service): returns once the site answers, and fails if its process ends first.

const { PORT = '3000', HOST = '127.0.0.1', MAINPID } = siteEnvironment();
const isWildcard = ['0.0.0.0', '::'].includes(HOST);
const host = isWildcard ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST;

async function isReady() {
  try {
    return (await fetch(`http://${host}:${PORT}/readyz`)).ok;
  } catch {
    return false;
  }
}

function hasEnded() {
  if (MAINPID === undefined) return false;
  try {
    process.kill(Number(MAINPID), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

while (!(await isReady())) {
  if (hasEnded()) {
    console.error('The site stopped before it was ready. Its log says why.');
    process.exit(1);
  }
  await delay(200);
}
