/**
 * Stand-ins of many servers in one process: the tests start some hundred servers, and a process for the stand-ins of each
 * takes longer than what they do.
 *
 * Run: node standins/starter.ts. A line of JSON on stdout says where it listens: {"port":PORT}. Who connects and sends a
 * line of JSON, settings as settings.ts reads them from the environment, gets the line that main.ts writes. They end when
 * the other side ends the connection, which is closed when what they log is on the disk.
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

// Half open: what is logged is written after the other side's end.
const server = createServer({ allowHalfOpen: true }, (socket) => {
  // Of a killed process; its stand-ins end with the connection.
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
