/** `npm run model`: installs a model on this machine, which needs no API key. */
import { existsSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { modelFolder, readLocalModel } from '#platform/config/local-model.server.ts';
import { type CatalogueModel, catalogue } from './catalogue.ts';
import { RUNTIME_BYTES, thisMachine } from './machine.ts';
import { ModelError } from './model-error.ts';
import { setUpFile, setUpModel } from './set-up.ts';

const DEFAULT_PORT = 11_500;

const HELP = `npm run model                  installs a small model on this machine; the site uses it from its next start
npm run model -- --small       installs a smaller one, for machines with little memory
npm run model -- --file PATH   uses a GGUF file of your own
npm run model -- --remove      removes the model and everything installed with it
  --from URL       downloads the same file from another address
  --context N      how many tokens of a chat fit; more tokens take more memory
  --port N         loopback port to serve it on (default ${DEFAULT_PORT})
`;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const options = {
  small: { type: 'boolean', default: false },
  file: { type: 'string' },
  from: { type: 'string' },
  context: { type: 'string' },
  port: { type: 'string' },
  remove: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function parseOptions() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new ModelError(`${(error as Error).message}\n${HELP}`);
  }
}

function wholeNumber(text: string | undefined, name: string, min: number, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new ModelError(`--${name} must be a whole number from ${min} to ${max}.`);
  return value;
}

function remove(dataDir: string): void {
  const folder = modelFolder(dataDir);
  if (!existsSync(folder)) {
    print('No model is installed on this machine.');
    return;
  }
  rmSync(folder, { recursive: true, force: true });
  print('Removed. The site stops using it from its next start.');
}

function chosenModel(small: boolean, from: string | undefined): CatalogueModel {
  const model: CatalogueModel = small ? catalogue.small : catalogue.usual;
  if (from === undefined) return model;
  if (!URL.canParse(from) || !/^https?:$/.test(new URL(from).protocol))
    throw new ModelError('--from must be an address that starts with https:// or http://.');
  return { ...model, url: from };
}

async function run(): Promise<void> {
  const args = parseOptions();
  if (args.help) return void process.stdout.write(HELP);
  const dataDir = resolve(process.env.DATA_DIR || 'data');
  if (args.remove) return remove(dataDir);
  const folder = modelFolder(dataDir);
  const port = wholeNumber(args.port, 'port', 1, 65_535) ?? readLocalModel(dataDir)?.port ?? DEFAULT_PORT;
  const contextTokens = wholeNumber(args.context, 'context', 1_000, 1_000_000);
  const setting = { folder, port, print, machine: thisMachine(folder), runtimeBytes: RUNTIME_BYTES };
  if (args.file !== undefined) {
    const file = resolve(args.file);
    const name = basename(file).replace(/\.gguf$/i, '');
    await setUpFile({ file, name, contextTokens: contextTokens ?? 8192 }, setting);
  } else {
    const model = chosenModel(args.small, args.from);
    const file = join(
      folder,
      basename(new URL((args.small ? catalogue.small : catalogue.usual).url).pathname),
    );
    const smaller = args.small ? null : catalogue.small;
    await setUpModel(
      { ...model, file, contextTokens: contextTokens ?? model.contextTokens, smaller },
      setting,
    );
  }
  print('The site uses it from its next start: npm start. To remove it: npm run model -- --remove');
  if (process.env.LLM_BASE_URL)
    print('LLM_BASE_URL is set and takes precedence. Unset it to use this model.');
}

try {
  await run();
} catch (error) {
  if (!(error instanceof ModelError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
