import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { gatherRelease } from '../../scripts/lib/release-content.mjs';
import { drawPdf, sentence } from '../support/documents.ts';
import { upload } from '../support/files.ts';
import { drawImages as drawnImages, quick } from '../support/images.ts';
import { createPerson } from '../support/people.ts';
import { makeDatabase } from '../support/postgres.ts';
import { eventually, startTestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';
import { seedWork } from '../support/works.ts';

const system = `${process.platform}-${process.arch}`;
const reason = ['linux-x64', 'linux-arm64'].includes(system)
  ? ''
  : ` (a release is for Linux, this is ${system})`;

describe.skipIf(!soak || reason !== '')(
  `a release as it is unpacked on a server without Node${reason}`,
  () => {
    /** Stands for /srv/site. */
    let folder: string;
    let site: string;
    let bytes: number;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'site-server-'));
      const release = await gatherRelease(folder, system);
      bytes = release.bytes;
      site = join(folder, 'releases', release.id, 'site');
      const older = join(folder, 'releases/older/build/releases/abc/client/assets');
      mkdirSync(older, { recursive: true });
      writeFileSync(join(older, 'page-of-before.js'), 'export default 1;');
      // Programs that every Linux has in /bin, without Node.
      mkdirSync(join(folder, 'bin'));
      for (const name of ['sh', 'readlink', 'dirname', 'id', 'stat'])
        symlinkSync(join('/usr/bin', name), join(folder, 'bin', name));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    /** Runs `site` with only the given environment variables. */
    function run(args: string[], env: Record<string, string> = {}) {
      const child = spawn(site, args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { HOME: folder, PATH: join(folder, 'bin'), ...env },
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part: Buffer) => {
          output += part.toString();
        });
      const ended = once(child, 'exit').then(() => child.exitCode);
      return { child, ended, output: () => output };
    }
    function settings(lines: string[], mode = 0o600): void {
      writeFileSync(join(folder, '.env'), lines.join('\n'));
      chmodSync(join(folder, '.env'), mode);
    }

    it('takes 400 MB at most', () => {
      expect(bytes).toBeLessThanOrEqual(400e6);
    });

    it('reads its settings from .env, which its environment overrides, and has all that the tools need', async () => {
      const databaseUrl = await makeDatabase(inject('postgres'));
      settings(
        [
          `DATABASE_URL=${databaseUrl}`,
          'PORT=1',
          'DATA_DIR=here # beside .env',
          'LOG_LEVEL=info',
          `AUTH_SECRET=${randomUUID()}`,
        ],
        0o644,
      );
      const { child, ended, output } = run(['start'], {
        PORT: '0',
        AUTH_SECRET: 'tests-only-0123456789abcdefghijklmnopq',
      });
      const url = await eventually(async () => /The site is running at (http\S+)/.exec(output())?.[1]);
      const standins = await eventually(async () => /Mailbox: (http\S+)\/mail/.exec(output())?.[1]);
      expect(output()).toContain(`Other accounts on this machine can read ${join(folder, '.env')}`);
      expect(readdirSync(folder)).toContain('here');
      expect((await fetch(standins)).status).toBe(200);
      for (const path of ['/', '/de', '/chat', '/readyz', '/assets/page-of-before.js'])
        expect((await fetch(url + path)).status, path).toBe(200);
      // The signal reaches the site directly, without a process in between.
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
    });

    it('contains the packages for reading and creating files', async () => {
      const server = await startTestServer({
        postgres: inject('postgres'),
        build: join(dirname(site), 'build/server'),
      });
      try {
        const person = await createPerson(server, { credits: 50 });
        expect((await person.get('/cards/tools.png')).status).toBe(200);
        expect(await drawnImages(person, { prompt: `A lamp ${quick}` })).toMatchObject({ state: 'done' });
        const document = await drawPdf((pdf) => pdf.addPage().text(sentence(1)));
        const added = await upload(server, person, document, { name: 'a.pdf', type: 'application/pdf' });
        expect([added.status, added.body]).toEqual([201, expect.objectContaining({ pages: 1 })]);
        const { work } = await seedWork(server, person, { texts: ['Words. 言葉。 مرحبا. नमस्ते.'] });
        const scene = await seedWork(server, person, {
          feature: 'script',
          texts: ['INT. ROOM - DAY\n\nA lamp.'],
        });
        for (const path of [
          `/api/write/${work}/export?format=docx`,
          `/api/write/${work}/export?format=pdf`,
          `/api/scripts/${scene.work}/export?format=pdf`,
        ])
          expect((await person.get(path)).status, path).toBe(200);
      } finally {
        await server.stop();
      }
    });

    it('names the line of .env that it cannot parse', async () => {
      settings(['PORT=0', 'MAIL_FROM=Example <hello@example.com>']);
      const { ended, output } = run(['start']);
      expect([await ended, output()]).toEqual([
        1,
        `${join(folder, '.env')}, line 2: put a value with spaces in quotes.\n`,
      ]);
    });

    it('changes nothing on the machine unless setup runs as root', async () => {
      settings([]);
      const { ended, output } = run(['setup', 'example.com'], { PATH: '/nowhere' });
      if (process.getuid?.() !== 0)
        expect([await ended, output()]).toEqual([1, expect.stringMatching(/as root/)]);
    });
  },
);
