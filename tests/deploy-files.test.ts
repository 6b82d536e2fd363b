import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { variables } from '#platform/config/environment-schema.server.ts';
import { fencedLines } from './deploy/deploy-page.ts';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');

/** Seconds that a supervisor must wait after DRAIN_SECONDS: the server needs up to 9.5 s more. */
const END_SECONDS = 10;
const drain = Number(variables().find(({ name }) => name === 'DRAIN_SECONDS')?.fallback);

describe('docs/deploy.md', () => {
  it('leads from a bare machine to https in ten commands', () => {
    const commands = fencedLines('Ten commands', 'sh');
    expect(commands.length).toBeLessThanOrEqual(10);
    expect(commands[0]).toBe('npm run release');
  });

  it('sets only variables that exist', () => {
    const known = variables().map(({ name }) => name as string);
    for (const line of fencedLines('Ten commands', 'ini')) expect(known).toContain(line.split('=')[0]);
  });

  it('links only to pages that exist', () => {
    const text = read('docs/deploy.md');
    for (const [, path = ''] of text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g))
      expect(existsSync(resolve(root, 'docs', path)), path).toBe(true);
    for (const [, page = '', title = ''] of text.matchAll(/\]\(([\w-]+\.md)#([^)]*)\)/g)) {
      const titles = [...read(`docs/${page}`).matchAll(/^#+ (.*)$/gm)].map(([, name = '']) =>
        name
          .toLowerCase()
          .replace(/[^\w\- ]/g, '')
          .replaceAll(' ', '-'),
      );
      expect(titles, page).toContain(title);
    }
  });
});

describe('deploy/', () => {
  it('gives a process enough time to finish its replies', () => {
    const unit = read('deploy/site@.service');
    expect(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]).toBe(String(drain + END_SECONDS));
    expect(/^ {4}stop_grace_period: (\d+)s$/m.exec(read('deploy/compose.yaml'))?.[1]).toBe(
      String(drain + END_SECONDS),
    );
    // If the database also received the signal, it would end before the replies are stored in it.
    expect(unit).toContain('KillMode=mixed');
  });

  it('lets files of 10 MB through the proxies, which ask each process whether it is ready', () => {
    expect(read('deploy/nginx.conf')).toMatch(/client_max_body_size 12m;[\s\S]*proxy_buffering off;/);
    expect(read('deploy/Caddyfile')).toMatch(/max_size 12MB[\s\S]*health_uri \/readyz/);
    expect(read('deploy/haproxy.cfg')).toMatch(/http-check send meth GET uri \/readyz/);
  });

  it('drops a trace id sent by a visitor', () => {
    expect(read('deploy/nginx.conf')).toMatch(/^ {4}proxy_set_header Traceparent "";$/m);
    expect(read('deploy/Caddyfile')).toMatch(/^\t\theader_up -Traceparent$/m);
    expect(read('deploy/haproxy.cfg')).toMatch(/^ {4}http-request del-header traceparent$/m);
  });

  it('sets only variables that exist', () => {
    const known = new Set(variables().map(({ name }) => name as string));
    const [, service = ''] = read('deploy/compose.yaml').split(/^ {2}site:\n/m);
    const [, block = ''] = (service.split(/^ {2}\w+:\n/m)[0] ?? '').split(/^ {4}environment:\n/m);
    const inCompose = [...block.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name = '']) => name);
    expect(inCompose).toContain('DATABASE_URL');
    const [, line = ''] = /^ENV (.*)$/m.exec(read('deploy/Dockerfile')) ?? [];
    const inImage = [...line.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name);
    for (const name of [...inCompose, ...inImage].filter((each) => each !== 'NODE_COMPILE_CACHE'))
      expect([...known]).toContain(name);
  });

  it('copies no secrets and no generated files into the image', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const name of ['.env', '.git', 'build', 'data', '**/node_modules']) expect(ignored).toContain(name);
  });

  it('contains no secrets', () => {
    for (const name of [
      'site@.service',
      'nginx.conf',
      'haproxy.cfg',
      'Caddyfile',
      'Dockerfile',
      'compose.yaml',
      'site',
    ])
      expect(read(`deploy/${name}`)).not.toMatch(/(SECRET|KEY|PASSWORD|TOKEN)=\S/);
  });
});
