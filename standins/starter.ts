/**
 * Stand-ins of many servers in one process: the tests start some hundred servers, and a process for the stand-ins of each
 * takes longer than what they do.
 *
 * Run: node standins/starter.ts. A line of JSON on stdout says where it listens: {"starter":"http://127.0.0.1:PORT"}. A POST
 * to it whose body begins with a line of JSON, settings as settings.ts reads them from the environment, is answered with the
 * line that main.ts writes. They end when the request ends or its connection does, and then the answer ends.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readSettings } from './settings.ts';
import { startStandIns } from './start.ts';

function firstLine(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
  });
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    request
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => resolve());
  });
  const settings = readSettings([], JSON.parse(await firstLine(request)));
  const standIns = await startStandIns(settings);
  response.write(`${JSON.stringify(standIns.ready)}\n`);
  await ended;
  await standIns.end();
  response.end();
}

const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) =>
    response.writeHead(500).end(`${error instanceof Error ? error.message : String(error)}\n`),
  );
});
// They stay as long as their server does.
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ starter: `http://127.0.0.1:${port}` })}\n`);
});
process.stdin
  .on('close', () => process.exit(0))
  .on('end', () => process.exit(0))
  .resume();
