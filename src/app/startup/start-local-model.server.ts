import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Config } from '#platform/config/config.server.ts';
import type { LocalModel } from '#platform/config/local-model.server.ts';
import { projectRoot } from '#platform/config/project-root.server.ts';
import { log } from '#platform/log.server.ts';
import { createOutbound } from '#platform/outbound/outbound.server.ts';

/** Exit code of model/serve.ts. */
const PORT_TAKEN = 2;

/** Pause before a restart, its maximum, and the interval of checks on a model that another process runs. */
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
const CHECK_MS = 5_000;

const CHECK_BOUNDS = { connectMs: 300, firstByteMs: 1_000, totalMs: 1_000, maxBytes: 16 * 1024 };

export interface LocalModelProcess {
  stop(): Promise<void>;
}

/** Whether another process of this site serves the same model on the port. */
async function isServed({ file }: LocalModel, port: number): Promise<boolean> {
  const origin = `http://127.0.0.1:${port}`;
  const outbound = createOutbound({ origins: [origin] });
  try {
    const response = await outbound.request(`${origin}/health`, CHECK_BOUNDS);
    const health = JSON.parse(await response.text()) as { service?: unknown; file?: unknown };
    return health.service === 'local-model' && health.file === file;
  } catch {
    return false;
  } finally {
    outbound.close();
  }
}

interface Spawned {
  child: ChildProcess;
  port: number;
  ended: Promise<unknown>;
}

/** Starts the model server; `spawned` is null if it exits before it listens. */
async function spawnOn(
  dataDir: string,
  port: number,
): Promise<{ spawned: Spawned | null; code: number | null }> {
  const child = spawn(process.execPath, [join(projectRoot, 'model/serve.ts'), dataDir, String(port)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl+C would end the terminal's whole process group, but running replies still need the model.
    detached: true,
    env: {},
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stderr.on('data', (bytes: Buffer) =>
    log.warn({ model: bytes.toString().trim().slice(0, 1_000) }, 'output of the local model'),
  );
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue;
    child.stdout.resume();
    return { spawned: { child, port: (JSON.parse(line) as { port: number }).port, ended }, code: null };
  }
  await ended;
  return { spawned: null, code: child.exitCode };
}

/**
 * Runs the model that `npm run model` installed and restarts it if it stops. If another program uses its port, it gets
 * a free one and LLM_BASE_URL is updated. Returns before the model is loaded; calls wait for it.
 */
export async function startLocalModel(config: Config, model: LocalModel): Promise<LocalModelProcess> {
  let port = model.port;
  let hasStarted = false;
  let stopping = false;
  let current: Spawned | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function start(): Promise<void> {
    let { spawned, code } = await spawnOn(config.dataDir, port);
    // After the first start the port must not change, because the site already calls it.
    if (code === PORT_TAKEN && !hasStarted) ({ spawned, code } = await spawnOn(config.dataDir, 0));
    hasStarted = true;
    current = spawned;
    if (!current) return;
    port = current.port;
    config.LLM_BASE_URL = `http://127.0.0.1:${port}/v1`;
  }

  function watch(pauseMs: number): void {
    if (stopping) return;
    if (!current) {
      timer = setTimeout(() => void ensureRunning(pauseMs), pauseMs).unref();
      return;
    }
    const since = performance.now();
    void current.ended.then(() => {
      current = null;
      if (stopping) return;
      log.error('the local model stopped; restarting it');
      watch(performance.now() - since > MAX_RETRY_MS ? RETRY_MS : Math.min(pauseMs * 2, MAX_RETRY_MS));
    });
  }

  async function ensureRunning(pauseMs: number): Promise<void> {
    if (await isServed(model, port)) {
      timer = setTimeout(() => void ensureRunning(RETRY_MS), CHECK_MS).unref();
      return;
    }
    if (stopping) return;
    await start();
    watch(current ? pauseMs : Math.min(pauseMs * 2, MAX_RETRY_MS));
  }

  await ensureRunning(RETRY_MS);
  return {
    async stop() {
      stopping = true;
      clearTimeout(timer);
      if (!current) return;
      current.child.kill('SIGTERM');
      await current.ended;
    },
  };
}
