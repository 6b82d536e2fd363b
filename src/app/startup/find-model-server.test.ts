import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { modelServerHint } from './find-model-server.server.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function candidate(name: string, answer: RequestListener) {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { name, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const listing =
  (...ids: unknown[]): RequestListener =>
  (req, res) =>
    void res
      .writeHead(req.url === '/v1/models' ? 200 : 404)
      .end(JSON.stringify({ data: ids.map((id) => ({ id })) }));

it('returns a hint for the first server with a text model', async () => {
  const empty = await candidate('Ollama', listing());
  const usable = await candidate('LM Studio', listing('nomic-embed-text:latest', 'qwen3:8b'));
  const later = await candidate('llama.cpp', listing('other'));
  expect(await modelServerHint([empty, usable, later])).toBe(
    `LM Studio is running on this machine. To use it: LLM_BASE_URL=${usable.origin}/v1 LLM_MODEL=qwen3:8b npm start`,
  );
});

it.each<[string, RequestListener]>([
  ['that never answers', () => undefined],
  ['that sends a page', (_req, res) => void res.end('<html>')],
  ['without a model list', (_req, res) => void res.writeHead(404).end('{}')],
  ['that redirects', (_req, res) => void res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['that never stops sending', (_req, res) => void res.write('x'.repeat(1024 * 1024))],
  ['whose names contain shell code', listing('x; rm -rf ~', '$(id)', '`id`', 7, null)],
])('returns nothing for a server %s', async (_, answer) => {
  expect(await modelServerHint([await candidate('Ollama', answer)])).toBeNull();
});

it('returns nothing if no server listens', async () => {
  expect(await modelServerHint([{ name: 'Ollama', origin: 'http://127.0.0.1:1' }])).toBeNull();
});
