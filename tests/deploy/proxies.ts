import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import tls from 'node:tls';
import { eventually } from '../support/server.ts';
import { hasProgram } from './machine.ts';

const read = (name: string) => readFileSync(resolve(import.meta.dirname, '../../deploy', name), 'utf8');

export interface FrontProxy {
  url: string;
  stop(): Promise<void>;
}

/** Returns a port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Makes a self-signed certificate for localhost that requests of this process trust. */
function makeCertificate(folder: string): { certificate: string; key: string } {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-out', certificate, '-keyout', key],
    ],
    { stdio: 'ignore' },
  );
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(certificate, 'utf8')]);
  return { certificate, key };
}

const accepts = async (url: string) => {
  await fetch(url, { redirect: 'manual' });
  return true;
};

async function stopProcess(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
}

interface ProxyPorts {
  /** HTTPS port. */
  port: number;
  /** Ports of the site's processes. */
  processes: number[];
}

/** Starts our nginx file with local ports and certificate, inside a frame like Debian's nginx.conf. */
async function startNginx({ port, processes }: ProxyPorts): Promise<FrontProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'site-nginx-'));
  const { certificate, key } = makeCertificate(folder);
  const site = read('nginx.conf')
    .replaceAll('example.com', 'localhost')
    .replace(/^.*listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`)
    .replace(/^.*# server .*\n/m, '')
    .replace(/^.*server 127\.0\.0\.1:3000( .*)$/m, (_, rest: string) =>
      processes.map((each) => `    server 127.0.0.1:${each}${rest}`).join('\n'),
    );
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  mkdirSync(join(folder, 'logs'));
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 2;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 2048; }
http { access_log off; ${temporary}
${site}
}`,
  );
  execFileSync('nginx', ['-t', '-c', file], { stdio: 'pipe' });
  const child = spawn('nginx', ['-c', file], { stdio: 'ignore' });
  const url = `https://localhost:${port}`;
  await eventually(() => accepts(url));
  return { url, stop: () => stopProcess(child, folder) };
}

/** Starts our Caddyfile with local ports and certificate. */
async function startCaddy({ port, processes }: ProxyPorts): Promise<FrontProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'site-caddy-'));
  const { certificate, key } = makeCertificate(folder);
  const file = join(folder, 'Caddyfile');
  const site = read('Caddyfile')
    .replace(/\{\$PUBLIC_URL:[^}]*\} \{/, `localhost:${port} {\n\ttls ${certificate} ${key}`)
    .replace(/\{\$SITE_PROCESSES:[^}]*\}/, processes.map((each) => `127.0.0.1:${each}`).join(' '));
  writeFileSync(
    file,
    `{
	admin off
	auto_https disable_redirects
	storage file_system ${folder}/storage
}
${site}`,
  );
  const env = { ...process.env, HOME: folder };
  execFileSync('caddy', ['validate', '--adapter', 'caddyfile', '--config', file], { stdio: 'pipe', env });
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], { stdio: 'ignore', env });
  const url = `https://localhost:${port}`;
  await eventually(() => accepts(url));
  return { url, stop: () => stopProcess(child, folder) };
}

export const proxies = [
  { name: 'nginx', missing: !hasProgram('nginx') || !hasProgram('openssl'), start: startNginx },
  { name: 'Caddy', missing: !hasProgram('caddy') || !hasProgram('openssl'), start: startCaddy },
];
