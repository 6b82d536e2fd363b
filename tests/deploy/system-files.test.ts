import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from './machine.ts';

const project = resolve(import.meta.dirname, '../..');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-files-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const outputOf = (program: string, args: string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

describe('deploy/site@.service', () => {
  const missing = !hasProgram('systemd-analyze');
  const suffix = missing ? ' (systemd is not installed)' : '';
  const unit = () => {
    const file = join(folder, 'site@3000.service');
    cpSync(join(project, 'deploy/site@.service'), file);
    return file;
  };

  it.skipIf(missing)(`contains only lines that systemd knows${suffix}`, () => {
    const { output } = outputOf('systemd-analyze', ['verify', unit()]);
    // The program exists only on the server.
    const lines = output.split('\n').filter((line) => line !== '' && !line.includes('is not executable'));
    expect(lines).toEqual([]);
  });

  it.skipIf(missing)(`restricts what a compromised process can do${suffix}`, () => {
    const { output } = outputOf('systemd-analyze', ['security', '--offline=yes', unit()]);
    // systemd's scale is 0 (closed) to 10 (open); up to 2 it rates a unit "OK".
    expect(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(output)?.[1])).toBeLessThanOrEqual(2);
  });
});

describe('deploy/compose.yaml', () => {
  const missing = !hasProgram('docker-compose');
  const suffix = missing ? ' (docker-compose is not installed)' : '';

  it.skipIf(missing)(`is valid for Compose, and requires the mandatory settings${suffix}`, () => {
    mkdirSync(join(folder, 'deploy'));
    cpSync(join(project, 'deploy/compose.yaml'), join(folder, 'deploy/compose.yaml'));
    const settings = join(folder, '.env');
    const config = ['--env-file', settings, '-f', join(folder, 'deploy/compose.yaml'), 'config', '--quiet'];
    writeFileSync(settings, 'PUBLIC_URL=https://example.com\n');
    expect(outputOf('docker-compose', config).output).toContain('Set it in .env');
    writeFileSync(settings, 'PUBLIC_URL=https://example.com\nPOSTGRES_PASSWORD=abc\n');
    expect(outputOf('docker-compose', config)).toEqual({ status: 0, output: '' });
  });
});
