import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/server.ts';
import { fencedLines } from './deploy-page.ts';
import { type Machine, noMachine, startMachine } from './machine.ts';

const project = resolve(import.meta.dirname, '../..');
const GIB = 2 ** 30;
const commands = fencedLines('Ten commands', 'sh');
const [release = '', copy = '', ...onServer] = commands;

/** Ports of the machine's stand-ins, which replace the mail server and the model of the guide. */
const STANDINS = { STANDINS_PORT: '4000', STANDINS_SMTP_PORT: '4025' };

let machine: Machine;
beforeAll(async () => {
  if (noMachine) return;
  machine = await startMachine(GIB);
}, 600_000);
afterAll(() => machine?.remove());

/** Returns what the operator types into .env: the guide's lines, with services that answer locally. */
function answersFor(lines: string[]): string {
  const localValues: Record<string, string> = {
    SMTP_URL: `smtp://127.0.0.1:${STANDINS.STANDINS_SMTP_PORT}`,
    LLM_BASE_URL: `http://127.0.0.1:${STANDINS.STANDINS_PORT}/gateway/v1`,
    LLM_API_KEY: 'stand-in',
  };
  return lines
    .map((line) => {
      const name = line.split('=')[0] ?? '';
      return localValues[name] === undefined ? line : `${name}=${localValues[name]}`;
    })
    .join('\n');
}

const visit = (path: string): Promise<{ status: number; body: string }> =>
  new Promise((done, fail) => {
    https
      .get(
        {
          host: machine.address,
          path,
          servername: 'example.com',
          rejectUnauthorized: false,
          headers: { host: 'example.com' },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('end', () =>
            done({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }),
          );
        },
      )
      .on('error', fail);
  });

it('needs at most ten commands', () => {
  expect(commands.length).toBeLessThanOrEqual(10);
  expect([release, copy]).toEqual([
    'npm run release',
    expect.stringMatching(/^scp build\/\S+ root@example.com:$/),
  ]);
});

describe.skipIf(noMachine)(
  `the page's commands on a bare Debian with 1 GB${noMachine ? ` (${noMachine})` : ''}`,
  () => {
    it('build the archive and copy it to the server', () => {
      const printed = execFileSync('sh', ['-ec', `${release} 2>&1`], { cwd: project, encoding: 'utf8' });
      const unpacked = Number(/(\d+) MB unpacked/.exec(printed)?.[1]);
      expect(unpacked).toBeLessThanOrEqual(400);
      const archive = /scp (\S+)/.exec(copy)?.[1] ?? '';
      cpSync(join(project, archive), join(machine.root, 'root', archive.replace(/.*\//, '')));
    });

    it('end with a site that answers over https', async () => {
      await expect(machine.run('command -v node')).rejects.toThrow();
      const typed = answersFor(fencedLines('Ten commands', 'ini'));
      writeFileSync(
        join(machine.root, 'usr/local/bin/editor'),
        `#!/bin/sh\ncat >>"$1" <<'END'\n${typed}\nEND\n`,
        { mode: 0o755 },
      );
      writeFileSync(join(machine.root, 'etc/hosts'), '127.0.0.1 localhost example.com\n');
      for (const line of onServer) {
        if (line === 'site doctor') break;
        await machine.run(line, line.startsWith('apt-get') ? 'outer' : 'own');
        if (line.includes('site setup')) await replaceExternalServices();
      }
      // Caddy checks every second whether the site is ready.
      await eventually(async () => (await visit('/')).status === 200);
      expect(JSON.parse((await visit('/version')).body)).toMatchObject({ name: 'ai-tools-site' });
      expect(
        await machine.run('ps -o user= -C node 2>/dev/null || stat -c %U /proc/[0-9]*/exe | sort -u'),
      ).toContain('site');
    });

    it('provide a doctor that checks the same settings', async () => {
      const printed = await machine.run('site doctor || true');
      expect(printed).toMatch(/^ok +Models/m);
      expect(printed).toMatch(/^ok +Schema/m);
      expect(printed).not.toMatch(/^wrong +(Node|Database|Schema|DATA_DIR|Models|Mail|Settings)/m);
    });

    it('serve pages and make a backup within the memory limit', async () => {
      const paths = ['/', '/pricing', '/blog', '/tools', '/chat', '/terms', '/de', '/cards/tools.png'];
      const requests = paths.map(async (path) => {
        for (let count = 0; count < 50; count++) expect((await visit(path)).status, path).toBe(200);
      });
      await Promise.all([...requests, machine.run('site backup')]);
      expect(await machine.run('ls /var/backups/site')).toMatch(/^example\.com-\S+\.tar\.zst$/m);
      const memory = await machine.memory();
      console.log(`Memory of the machine: ${JSON.stringify(memory)}`);
      expect(memory?.failures ?? 0).toBe(0);
    });

    it('install an update and roll it back', async () => {
      const [name = '', id = ''] = await nextArchive();
      const before = (await machine.run('readlink /srv/site/current')).trim();
      const [, updating = ''] = fencedLines('Updating', 'sh');
      const line = updating.replace(/^ssh root@example.com /, '');
      expect(line).toBe(`site update ${name}`);
      expect(await machine.run(line)).toContain(`Release ${id} serves`);
      await eventually(async () => (await visit('/')).status === 200);
      expect((await machine.run('readlink /srv/site/current')).trim()).toBe(`releases/${id}`);
      await machine.run(fencedLines('Going back', 'sh').join('\n'));
      await eventually(async () => (await visit('/')).status === 200);
      expect((await machine.run('readlink /srv/site/current')).trim()).toBe(before);
    });
  },
);

/** Replaces Let's Encrypt and external services. */
async function replaceExternalServices(): Promise<void> {
  await machine.run(
    `{ echo '{'; echo 'local_certs'; echo 'skip_install_trust'; echo '}'; cat /srv/site/Caddyfile; } >/tmp/own && cp /tmp/own /srv/site/Caddyfile`,
  );
  const environment = Object.entries({ ...STANDINS, STANDINS_DIR: '/tmp/standins' })
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
  await machine.run(
    `env ${environment} setsid /srv/site/current/node_modules/.bin/node /srv/site/current/standins/main.ts >/var/log/standins.log 2>&1 </dev/null & sleep 0`,
  );
}

/** Replaces the first archive by the same release under a later name. */
async function nextArchive(): Promise<[name: string, id: string]> {
  const name = (/scp \S*\/(\S+)/.exec(copy) ?? [])[1] ?? '';
  const id = '20990101T0000-next';
  await machine.run(
    `mkdir next && tar -xzf ${name} -C next && cd next/releases && mv * ${id} &&` +
      ` sed -i 's/"id": "[^"]*"/"id": "${id}"/' ${id}/release.json && cd .. && tar -czf ../${name} releases && rm -r releases`,
  );
  return [name, id];
}
