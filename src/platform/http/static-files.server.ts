import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import type { AppEnv } from './app-env.server.ts';
import { encodingFor } from './compress.server.ts';
import { matchesEtag } from './etag.server.ts';

interface StaticFile {
  body: Buffer;
  brotli: Buffer | null;
  /** Created on first request: almost every browser accepts Brotli instead. */
  gzip: Buffer | null;
  type: string;
  etag: string;
  immutable: boolean;
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

/** File path by URL path. */
const paths = new Map<string, string>();
const loaded = new Map<string, StaticFile>();

/** React Router adds some files after the build's compression step, so those are compressed here. */
function brotliOf(path: string, body: Buffer, type: string): Buffer | null {
  if (existsSync(`${path}.br`)) return readFileSync(`${path}.br`);
  if (body.length < 1024 || !/charset|svg|manifest/.test(type)) return null;
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
}

/**
 * Lists only names: a site serves few of the thousands of files in eight languages, each loaded on first request.
 * @param below a folder in `folder`, as it begins a name: `/assets`
 */
export function listStaticFiles(folder: string, below = ''): void {
  if (below !== '' && !existsSync(folder + below)) return;
  // At startup, Node's recursive `readdir` and the functions of node:path would take 70 ms more for 3,500 files.
  for (const entry of readdirSync(folder + below, { withFileTypes: true })) {
    const name = `${below}/${entry.name}`;
    if (entry.isDirectory()) listStaticFiles(folder, name);
    else if (extname(name) in types && !name.includes('/.') && !paths.has(name))
      paths.set(name, folder + name);
  }
}

/** Returns null also if a file of an earlier build was deleted after it was listed. */
function fileAt(name: string): StaticFile | null {
  const known = loaded.get(name);
  const path = paths.get(name);
  if (known || !path || !existsSync(path)) return known ?? null;
  const body = readFileSync(path);
  const type = types[extname(path)] ?? '';
  const file: StaticFile = {
    body,
    brotli: brotliOf(path, body, type),
    gzip: null,
    type,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    immutable: name.startsWith('/assets/'),
  };
  loaded.set(name, file);
  return file;
}

export function stylesheet(): string | null {
  return [...paths.keys()].find((name) => /^\/assets\/root-[^/]+\.css$/.test(name)) ?? null;
}

export function staticFile(c: Context<AppEnv>): Response | null {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return null;
  const file = fileAt(c.req.path);
  if (!file) return null;
  const headers: Record<string, string> = {
    'content-type': file.type,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    etag: file.etag,
    vary: 'accept-encoding',
  };
  if (matchesEtag(c.req.header('if-none-match'), file.etag))
    return new Response(null, { status: 304, headers });
  const encoding = encodingFor(c.req.header('accept-encoding'));
  const packed = encoding === 'identity' ? null : compressedAs(encoding, file);
  if (packed) headers['content-encoding'] = encoding;
  return new Response(new Uint8Array(packed ?? file.body), { headers });
}

function compressedAs(encoding: 'br' | 'gzip', file: StaticFile): Buffer | null {
  if (encoding === 'br' || !file.brotli) return file.brotli;
  file.gzip ??= gzipSync(file.body, { level: 9 });
  return file.gzip;
}
