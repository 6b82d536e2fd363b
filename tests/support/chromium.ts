import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

/** How to launch the browser of the journeys. */
export interface Chromium {
  executablePath: string;
  /** Added to the browser's environment. */
  env: Record<string, string>;
  args: string[];
}

const PROJECT = join(import.meta.dirname, '../..');
const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const SYSTEM_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Replaces the defaults of @sparticuz/chromium, which switch off web security and site isolation. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-pings',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-extensions',
  '--disable-default-apps',
  '--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication',
  '--font-render-hinting=none',
];

/**
 * Finds a browser: CHROME_PATH, then an installed Chromium or Chrome, then the one of @sparticuz/chromium (Linux x64),
 * unpacked once into .cache/chromium. Throws when there is none.
 */
export async function chromiumPath(): Promise<Chromium> {
  const given = process.env.CHROME_PATH;
  if (given !== undefined && given !== '') {
    if (await exists(given)) return { executablePath: given, env: {}, args: ARGS };
    throw new Error(`CHROME_PATH names ${given}, which does not exist.`);
  }
  const system = await findInSystem();
  if (system !== undefined) return { executablePath: system, env: {}, args: ARGS };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `npm brings no Chromium for ${process.platform}-${process.arch}: install Chrome or Chromium, or set CHROME_PATH.`,
    );
  }
  return fromPackage();
}

async function findInSystem(): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = [
    ...folders.flatMap((folder) => SYSTEM_NAMES.map((name) => join(folder, name))),
    ...SYSTEM_PATHS,
  ];
  for (const candidate of candidates) {
    // On some systems a program of this name is a script that only says how to install a browser.
    if ((await exists(candidate)) && (await runs(candidate, {}))) return candidate;
  }
  return undefined;
}

async function fromPackage(): Promise<Chromium> {
  const packageFolder = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..');
  const manifest: unknown = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  const folder = join(PROJECT, '.cache/chromium', String(Object(manifest).version));
  if (!(await exists(folder))) await unpack(join(packageFolder, 'bin'), folder);
  const executablePath = join(folder, 'chromium');
  const env: Record<string, string> = {};
  if (!(await exists('/etc/fonts/fonts.conf'))) env.FONTCONFIG_PATH = join(folder, 'fonts');
  if (await runs(executablePath, env)) return { executablePath, env, args: ARGS };
  // The loader fails without NSS, NSPR or expat; the package contains them.
  env.LD_LIBRARY_PATH = join(folder, 'al2023/lib');
  if (await runs(executablePath, env)) return { executablePath, env, args: ARGS };
  throw new Error(
    'The Chromium of npm does not run on this system: install Chrome or Chromium, or set CHROME_PATH.',
  );
}

/** Unpacks next to the target and renames at the end, so that an interrupted run leaves nothing half done. */
async function unpack(source: string, target: string): Promise<void> {
  const draft = `${target}.${randomBytes(4).toString('hex')}`;
  await mkdir(draft, { recursive: true });
  try {
    // The package always unpacks into the temporary folder; only TMPDIR changes that, so it runs in a separate process.
    const code = `const { inflate } = await import('@sparticuz/chromium');
      for (const file of process.argv.slice(1)) await inflate(file);`;
    const archives = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
    await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', code, ...archives.map((name) => join(source, name))],
      { cwd: PROJECT, env: { ...process.env, TMPDIR: draft } },
    );
    await writeFile(join(draft, 'fonts/fonts.conf'), fontsConfiguration(join(target, 'fonts')));
    await rename(draft, target).catch(async (error: unknown) => {
      if (!(await exists(target))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Replaces the package's own file, which names folders of AWS Lambda. */
function fontsConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><dir>/usr/share/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>
`;
}

function runs(program: string, env: Record<string, string>): Promise<boolean> {
  return promisify(execFile)(program, ['--version'], {
    env: { ...process.env, ...env },
    timeout: 20_000,
  }).then(
    ({ stdout }) => /Chrom/.test(stdout),
    () => false,
  );
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
