import http from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';

// The minimum cost of a chat server: it forwards the gateway's tokens as event streams, and stores nothing.

const gateway = new URL(`${process.argv[2]}/chat/completions`);
const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

function forward(response: http.ServerResponse, text: string): void {
  const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: text }] });
  const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' };
  const call = http.request(gateway, { method: 'POST', agent, headers }, (upstream) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    upstream.setEncoding('utf8');
    let rest = '';
    upstream.on('data', (part: string) => {
      const lines = (rest + part).split('\n\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (!line.startsWith('data: {')) continue;
        const text = (JSON.parse(line.slice(6)) as { choices?: Array<{ delta?: { content?: string } }> })
          .choices?.[0]?.delta?.content;
        if (text) response.write(`event: delta\ndata: ${JSON.stringify({ text })}\n\n`);
      }
    });
    upstream.on('end', () => response.end('event: end\ndata: {"state":"done"}\n\n'));
  });
  call.on('error', () => response.destroy());
  call.end(body);
}

const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (part) => {
    body += part;
  });
  request.on('end', () => forward(response, (JSON.parse(body) as { text: string }).text));
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`,
  );
});
process.stdin.on('end', () => process.exit(0)).resume();
