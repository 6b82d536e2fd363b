import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { ModelError } from './model-error.ts';
import type { Runtime } from './runtime-types.ts';

const VERSION = '3.22.1';

/** Without GPU binaries for Linux, which take 600 MB; people with a GPU can use Ollama or llama.cpp. */
const BINARIES: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
};

/** Number of last output lines to show: they contain npm's error. */
const SHOWN_LINES = 12;

export const runtimeFolder = (folder: string): string => join(folder, 'runtime');

function packages(): Record<string, string> {
  const binary = BINARIES[`${process.platform}-${process.arch}`];
  if (!binary)
    throw new ModelError(
      `The runtime has no binary for ${process.platform}-${process.arch}. Serve a model with another program instead (LLM_BASE_URL).`,
    );
  return { 'node-llama-cpp': VERSION, [`@node-llama-cpp/${binary}`]: VERSION };
}

/** Returns the npm that started this command, because the Node that runs it may come without npm. */
function npmCommand(): [program: string, args: string[]] {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  return npm && /\.c?js$/.test(npm)
    ? [node && existsSync(node) ? node : process.execPath, [npm]]
    : ['npm', []];
}

function runNpm(args: string[], cwd: string): Promise<{ code: number; output: string }> {
  const [program, before] = npmCommand();
  return new Promise((resolve) => {
    const child = spawn(program, [...before, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => {
        output += bytes.toString();
      });
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

function isInstalled(runtime: string): boolean {
  try {
    const { version } = JSON.parse(
      readFileSync(join(runtime, 'node_modules/node-llama-cpp/package.json'), 'utf8'),
    );
    return version === VERSION && existsSync(join(runtime, '.installed'));
  } catch {
    return false;
  }
}

/** Installs node-llama-cpp with its binary for this machine, without compiling anything. @throws ModelError */
export async function installRuntime(folder: string): Promise<void> {
  const runtime = runtimeFolder(folder);
  if (isInstalled(runtime)) return;
  rmSync(runtime, { recursive: true, force: true });
  mkdirSync(runtime, { recursive: true });
  const manifest = { private: true, dependencies: packages() };
  writeFileSync(join(runtime, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const { code, output } = await runNpm(
    [
      'install',
      '--omit=optional',
      '--omit=dev',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ],
    runtime,
  );
  if (code !== 0) {
    rmSync(runtime, { recursive: true, force: true });
    const errorLines = output.trim().split('\n').slice(-SHOWN_LINES).join('\n');
    throw new ModelError(`${errorLines}\nThe runtime could not be installed. See the output above.`);
  }
  await checkRuntime(runtime);
  writeFileSync(join(runtime, '.installed'), '');
}

async function checkRuntime(runtime: string): Promise<void> {
  try {
    await startLlama(await loadRuntime(runtime), true);
  } catch (error) {
    throw new ModelError(
      `The runtime's binary does not run on this machine (${(error as Error).message}). It needs glibc and a processor from the last ten years. Serve a model with another program instead (LLM_BASE_URL).`,
    );
  }
}

export async function loadRuntime(runtime: string): Promise<Runtime> {
  const entry = join(runtime, 'node_modules/node-llama-cpp/dist/index.js');
  return (await import(pathToFileURL(entry).href)) as Runtime;
}

/**
 * Leaves one processor to the site if there are several. More threads than processors wait for each other: a token then
 * takes a second instead of 1 ms.
 */
export const threads = (): number => Math.max(1, availableParallelism() - 1);

export const startLlama = (runtime: Runtime, dryRun = false) =>
  runtime.getLlama({
    build: 'never',
    gpu: process.platform === 'darwin' ? 'auto' : false,
    maxThreads: threads(),
    logLevel: 'error',
    progressLogs: false,
    dryRun,
  });
