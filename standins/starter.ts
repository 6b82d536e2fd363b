/**
 * Runs the stand-ins of many servers in one process: the tests start some hundred servers, and starting a process for
 * each server's stand-ins takes longer than their work.
 *
 * Run: node standins/starter.ts. It writes its port to stdout as a line of JSON: {"port":PORT}. A client connects and
 * sends a line of JSON with settings, named as settings.ts reads them from the environment, and receives the line that
 * main.ts writes. Its stand-ins end when the client ends the connection, which closes once their logs are on disk.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { readSettings } from './settings.ts';
import { startStandIns } from './start-standins.ts';

async function serve(socket: Socket): Promise<void> {
  const ended = new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  const [line] = (await once(createInterface({ input: socket }), 'line')) as [string];
  const standIns = await startStandIns(readSettings([], JSON.parse(line)));
  socket.write(`${JSON.stringify(standIns.ready)}\n`);
  await ended;
  await standIns.end();
}

// Half open: logs are written after the client has ended its side.
const server = createServer({ allowHalfOpen: true }, (socket) => {
  // The client process was killed; its stand-ins end with the connection.
  socket.on('error', () => undefined);
  serve(socket)
    .catch((error: unknown) => process.stderr.write(`stand-ins: ${String(error)}\n`))
    .finally(() => socket.end());
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ port })}\n`);
});
const end = () => process.exit(0);
process.stdin.on('close', end).on('end', end).resume();
