import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { inProject, PlainError, root, siteFolder } from './lib/project.mjs';
import { pointTo } from './lib/releases.mjs';
import { ACCOUNT, outputWords, requireServerRelease, run, writePrivate } from './lib/server-folder.mjs';

// `site setup example.com`: prepares this machine to run the release. Existing files and accounts are not changed.

const DATA = '/var/lib/site';
const BACKUPS = '/var/backups/site';
const COMMAND = '/usr/local/bin/site';
const UNITS = '/etc/systemd/system';

/** @param {string | undefined} host */
function checkHost(host) {
  if (host === undefined || !/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/.test(host))
    throw new PlainError('Add the host name of your site, for example: site setup example.com');
}

function makeAccount() {
  if (outputWords('getent', ['passwd', ACCOUNT]).length > 0) return;
  run('useradd', ['--system', '--user-group', '--home-dir', DATA, '--shell', '/usr/sbin/nologin', ACCOUNT]);
  console.log(`Created the account ${ACCOUNT}.`);
}

function accountIds() {
  const [uid, gid] = ['-u', '-g'].map((part) => Number(outputWords('id', [part, ACCOUNT])[0]));
  return { uid, gid };
}

function makeFolder(folder, { uid, gid }) {
  mkdirSync(folder, { recursive: true });
  chownSync(folder, uid, gid);
  chmodSync(folder, 0o700);
}

/** Returns .env.example with the values filled in that are known at setup. @param {string} host */
function settingsFor(host) {
  const knownValues = {
    PUBLIC_URL: `https://${host}`,
    DATA_DIR: DATA,
    BACKUP_DIR: BACKUPS,
    AUTH_SECRET: randomBytes(32).toString('base64url'),
    TRUSTED_PROXIES: '127.0.0.1,::1',
  };
  return Object.entries(knownValues).reduce(
    (text, [name, value]) => text.replace(new RegExp(`^#${name}=.*$`, 'm'), () => `${name}=${value}`),
    readFileSync(inProject('.env.example'), 'utf8').replace(/^(# .*\n)+/, `# Settings for ${host}.\n`),
  );
}

/** @param {string} name of a file in deploy/ @param {string} target path @param {(text: string) => string} change */
function writeTemplate(name, target, change = (text) => text) {
  if (existsSync(target)) return;
  writeFileSync(target, change(readFileSync(inProject('deploy', name), 'utf8')), { mode: 0o644 });
  console.log(`Wrote ${target}.`);
}

/** @param {string | undefined} host */
function setUp(host) {
  requireServerRelease('site setup');
  checkHost(host);
  makeAccount();
  const account = accountIds();
  for (const folder of [DATA, BACKUPS]) makeFolder(folder, account);
  const settings = join(siteFolder, '.env');
  if (!existsSync(settings)) {
    writePrivate(settings, settingsFor(host), account);
    console.log(`Wrote ${settings}, readable only by the account ${ACCOUNT}.`);
  }
  if (!existsSync(join(siteFolder, 'current'))) pointTo(siteFolder, basename(root));
  const withSiteFolder = (text) => text.replaceAll('/srv/site', siteFolder);
  writeTemplate('site@.service', join(UNITS, 'site@.service'), withSiteFolder);
  for (const name of ['Caddyfile', 'nginx.conf'])
    writeTemplate(name, join(siteFolder, name), (text) => text.replaceAll('example.com', host));
  if (!existsSync(COMMAND)) symlinkSync(join(siteFolder, 'current', 'site'), COMMAND);
  run('systemctl', ['daemon-reload']);
  console.log(`Next: set up mail and a model in ${settings}, then run systemctl enable --now site@3000`);
}

try {
  setUp(process.argv[2]);
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
