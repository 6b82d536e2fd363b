import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { generate } from 'selfsigned';

export interface Certificate {
  key: string;
  cert: string;
}

const DAY_MS = 86_400_000;

/** Creates a certificate authority; returns its certificate, and a function that issues certificates. */
export async function certificates(name = 'Authority of the tests'): Promise<{
  authority: string;
  make(host: string, days: { since: number; left: number }): Promise<Certificate>;
}> {
  const authority = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return {
    authority: authority.cert,
    async make(host, { since, left }) {
      const made = await generate([{ name: 'commonName', value: host }], {
        keyType: 'ec',
        algorithm: 'sha256',
        notBeforeDate: new Date(Date.now() - since * DAY_MS),
        notAfterDate: new Date(Date.now() + left * DAY_MS),
        extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] }],
        ca: { key: authority.private, cert: authority.cert },
      });
      return { key: made.private, cert: made.cert };
    },
  };
}

export interface ProxyFaults {
  /** How X-Forwarded-For is handled; `append` is correct. */
  forwardedFor?: 'append' | 'drop' | 'pass';
  /** Buffers responses until they are complete. */
  buffers?: boolean;
  /** Refuses larger bodies with 413. */
  maxBody?: number;
  /** Forwards this Host header instead of the site's. */
  host?: string;
  /** Local address from which the proxy connects to the site. */
  from?: string;
  /** Sends this response itself instead of forwarding the request. */
  answers?: { status: number; text: string };
}

interface Site {
  /** Port that the site listens on, and its public URL. */
  port: number;
  publicUrl: string;
}

function forward(site: Site, faults: ProxyFaults, request: IncomingMessage, response: ServerResponse): void {
  const { forwardedFor = 'append', buffers, maxBody = Number.POSITIVE_INFINITY, answers } = faults;
  if (answers) return void response.writeHead(answers.status).end(answers.text);
  if (Number(request.headers['content-length'] ?? 0) > maxBody)
    return void response.writeHead(413, { connection: 'close' }).end('too large');
  const headers: Record<string, string | string[] | undefined> = {
    ...request.headers,
    host: faults.host ?? new URL(site.publicUrl).host,
    ...(request.headers.origin ? { origin: site.publicUrl } : {}),
  };
  const received = request.headers['x-forwarded-for'];
  delete headers['x-forwarded-for'];
  if (forwardedFor === 'pass') headers['x-forwarded-for'] = received;
  if (forwardedFor === 'append')
    headers['x-forwarded-for'] = [received, request.socket.remoteAddress].filter(Boolean).join(', ');
  const upstream = httpRequest(
    {
      host: '127.0.0.1',
      port: site.port,
      path: request.url,
      method: request.method,
      headers,
      localAddress: faults.from,
    },
    async (answer) => {
      if (!buffers) {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        return;
      }
      const parts: Buffer[] = [];
      for await (const part of answer) parts.push(part as Buffer);
      response.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(parts));
    },
  );
  upstream.on('error', () => response.writeHead(502).end('Bad Gateway'));
  request.pipe(upstream);
}

export interface TlsProxy {
  url: string;
  stop(): void;
}

/** Starts a TLS server on loopback that forwards requests to a site, correctly or with faults. */
export async function startTlsProxy(
  site: () => Site,
  { key, cert }: Certificate,
  faults: ProxyFaults = {},
): Promise<TlsProxy> {
  const server = createServer({ key, cert }, (request, response) =>
    forward(site(), faults, request, response),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  return {
    url: `https://localhost:${port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
