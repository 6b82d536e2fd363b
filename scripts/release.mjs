import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { build, checkOwnNode, install, productNode } from './lib/prepare.mjs';
import { inProject, isRelease, PlainError } from './lib/project.mjs';
import { entriesOf, gatherRelease } from './lib/release-content.mjs';
import { withProgress } from './lib/run.mjs';

// `npm run release`: packs the site, Node and PostgreSQL into one archive for a server that has none of them.

const SYSTEMS = ['linux-x64', 'linux-arm64'];
/** Limit for the unpacked release. */
const MAX_BYTES = 400e6;

/** @returns {string} such as `linux-x64` */
function requestedSystem() {
  const own = `linux-${process.arch}`;
  const { values } = parseArgs({
    options: { for: { type: 'string', default: SYSTEMS.includes(own) ? own : 'linux-x64' } },
  });
  if (!SYSTEMS.includes(values.for)) throw new PlainError(`--for must be ${SYSTEMS.join(' or ')}.`);
  return values.for;
}

/** @param {string} folder @param {string} archive */
async function pack(folder, archive) {
  // Imported here because the project's packages are installed only by now.
  const { default: tar } = await import('tar-stream');
  const entries = tar.pack();
  const writing = pipeline(entries, createGzip({ level: 6 }), createWriteStream(archive));
  const add = (header, path) =>
    new Promise((resolve, reject) => {
      const entry = entries.entry(header, (error) => (error ? reject(error) : resolve()));
      if (header.type === 'file') createReadStream(path).on('error', reject).pipe(entry);
    });
  for (const { path, header } of entriesOf(folder)) await add(header, path);
  entries.finalize();
  await writing;
}

async function main() {
  checkOwnNode();
  if (isRelease) throw new PlainError('This is already a release. Run this where the sources are.');
  const system = requestedSystem();
  await install();
  await build(productNode());
  const folder = mkdtempSync(join(tmpdir(), 'site-release-'));
  try {
    const { id, bytes } = await withProgress('Gathering the release', () => gatherRelease(folder, system));
    const megabytes = Math.ceil(bytes / 1e6);
    if (bytes > MAX_BYTES)
      throw new PlainError(
        `The release would take ${megabytes} MB unpacked. The limit is ${MAX_BYTES / 1e6} MB.`,
      );
    const archive = inProject('build', `site-${system}.tar.gz`);
    await withProgress('Packing the release', () => pack(folder, archive));
    const packed = Math.ceil(statSync(archive).size / 1e6);
    console.log(
      `${relative(dirname(inProject('build')), archive)}: release ${id}, ${packed} MB, ${megabytes} MB unpacked.`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof PlainError) && !String(error.code).startsWith('ERR_PARSE_ARGS')) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
