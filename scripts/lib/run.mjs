import { spawn } from 'node:child_process';

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/**
 * Runs a program without input and returns its exit code and output. A signal to this process first ends the program,
 * then this process.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env: Record<string, string | undefined>, onStart: (pid: number) => void }} options
 * @returns {Promise<{ code: number, output: string }>}
 */
export function runQuietly(program, args, { cwd, env, onStart }) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let interrupted = 0;
    const interrupt = (signal) => {
      interrupted = SIGNALS[signal];
      child.kill('SIGTERM');
    };
    for (const signal of Object.keys(SIGNALS)) process.on(signal, interrupt);
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    const finish = (code, note) => {
      if (interrupted !== 0) process.exit(interrupted);
      for (const signal of Object.keys(SIGNALS)) process.off(signal, interrupt);
      resolve({ code, output: Buffer.concat(chunks).toString('utf8') + note });
    };
    child.once('spawn', () => onStart(child.pid));
    child.once('error', (error) => finish(127, `${error.message}\n`));
    child.once('close', (code, signal) => finish(code ?? 1, signal ? `stopped by ${signal}\n` : ''));
  });
}

/**
 * Shows a progress line while work runs: with a seconds counter on a terminal, otherwise only at start and end.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(label, work) {
  const startedAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const live = process.stderr.isTTY === true;
  if (live) process.stderr.write(label);
  else console.error(`${label} ...`);
  const timer = live
    ? setInterval(() => process.stderr.write(`\r${label} ... ${seconds()}`), 1000)
    : undefined;
  try {
    const result = await work();
    if (live) process.stderr.write(`\r${label}: done in ${seconds()}\n`);
    else console.error(`${label}: done in ${seconds()}`);
    return result;
  } catch (error) {
    if (live) process.stderr.write('\n');
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Returns the last lines of an output. @param {string} output @param {number} count of lines */
export function tail(output, count) {
  const lines = output.trimEnd().split('\n');
  return (lines.length > count ? ['[...]', ...lines.slice(-count)] : lines).join('\n');
}

/** Returns the first lines of an output. @param {string} output @param {number} count of lines */
export function head(output, count) {
  const lines = output.trimEnd().split('\n');
  return (lines.length > count ? [...lines.slice(0, count), '[...]'] : lines).join('\n');
}
