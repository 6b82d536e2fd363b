import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { isRelease, PlainError, root, siteFolder } from './project.mjs';

/** The account that the site runs as. */
export const ACCOUNT = 'site';

/** Throws unless this is a release on a server, run as root. @param {string} command */
export function requireServerRelease(command) {
  if (!isRelease || siteFolder === root)
    throw new PlainError(`${command} only works in a release unpacked on a server. See docs/deploy.md.`);
  if (process.getuid?.() !== 0) throw new PlainError(`${command} changes this machine. Run it as root.`);
}

/** Runs a system program and shows its output. @param {string} program @param {string[]} args */
export function run(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error) throw new PlainError(`Can't run ${program} (${error.code}).`);
  if (status !== 0) throw new PlainError(`${program} ${args.join(' ')} failed. See its output above.`);
}

/** @param {string} program @param {string[]} args @returns {string[]} the words of its output; [] if it fails */
export function outputWords(program, args) {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' });
  return status === 0 ? stdout.split(/\s+/).filter((word) => word !== '') : [];
}

/** Creates a file that only the given account can read. @param {string} file @param {string} text */
export function writePrivate(file, text, { uid, gid }) {
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  chmodSync(file, 0o600);
  chownSync(file, uid, gid);
}

/** Restarts the site's processes one by one; each must answer before the next one is restarted. */
export function restartAll() {
  const units = outputWords('systemctl', ['list-units', '--plain', '--no-legend', 'site@*.service']);
  for (const unit of units.filter((word) => /^site@\d+\.service$/.test(word)))
    run('systemctl', ['restart', unit]);
}
