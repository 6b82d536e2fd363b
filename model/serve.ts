/**
 * Serves the local model of a DATA_DIR on loopback, in a separate process, so that its memory use and crashes do not
 * affect the site. npm start runs it: node model/serve.ts DATA_DIR PORT. Once it listens, it writes one line of JSON to
 * stdout: {"ready":true,"port":PORT}; the model may still be loading. Ends when stdin closes. Exit code 2: the port is
 * in use.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { modelFolder, readLocalModel } from '#platform/config/local-model.server.ts';
import { loadLanguageModel } from './language-model.ts';
import { codeOf, ModelError } from './model-error.ts';
import { createOpenAiServer } from './openai-server.ts';
import { runtimeFolder } from './runtime.ts';

const PORT_IN_USE = 2;

async function serve(dataDir: string, port: number): Promise<void> {
  const local = readLocalModel(dataDir);
  if (!local)
    throw new ModelError(`There is no model in ${modelFolder(dataDir)}. Run npm run model to install one.`);
  const { id, file, contextTokens } = local;
  let startLoading: () => void = () => undefined;
  const listening = new Promise<void>((resolve) => {
    startLoading = resolve;
  });
  const folder = runtimeFolder(modelFolder(dataDir));
  const model = listening.then(() => loadLanguageModel({ folder, file, contextTokens }));
  const server = createOpenAiServer({ id, file, model });
  server.listen({ port, host: '127.0.0.1' });
  await once(server, 'listening');
  startLoading();
  process.stdin
    .on('end', () => process.exit(0))
    .on('error', () => process.exit(0))
    .resume();
  process.on('SIGTERM', () => process.exit(0));
  process.stdout.write(`${JSON.stringify({ ready: true, port: (server.address() as AddressInfo).port })}\n`);
  await model;
}

const [dataDir = '', port = '0'] = process.argv.slice(2);
try {
  await serve(dataDir, Number(port));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(codeOf(error) === 'EADDRINUSE' ? PORT_IN_USE : 1);
}
