import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { curatedPrompts } from '#content/prompts/all.ts';
import type { ImageJob, ImageSize, StartedImages } from '#features/images/contract.ts';
import { m } from '#messages';
import { buy } from './fill.ts';
import { type Member, type Started, signIn } from './member.ts';
import { DemoError, startSite, waitFor } from './site.ts';

const HELP = `Makes new samples for the site with the models in LLM_* and IMAGE_*: 12 images and the texts of the prompt
library, in content/. Review them, keep the ones you like (git diff, git checkout) and build.
  npm run samples             both
  npm run samples -- images   or: texts
  npm run samples -- --to FOLDER   leaves content/ as it is
`;

const IMAGES = resolve(import.meta.dirname, '../content/samples');
const TEXTS = resolve(import.meta.dirname, '../content/prompts');
/** Largest image that a public page shows. */
const MOST_BYTES = 40 * 1024;
const QUALITIES = [80, 70, 60, 50, 40, 30, 20];
/** Time limit of a run: a model's maximum for four images. */
const WAIT_MS = 600_000;

/** Names are files in content/samples, in the order in which a run returns the images. */
const images: { names: string[]; prompt: string; size: ImageSize }[] = [
  { names: ['whale'], prompt: m.images_sample_whale(), size: '768x512' },
  { names: ['kettle'], prompt: m.images_sample_kettle(), size: '768x512' },
  { names: ['mountains'], prompt: m.home_image_mountains(), size: '768x512' },
  { names: ['city'], prompt: m.images_sample_city(), size: '1024x1024' },
  { names: ['saturn'], prompt: m.images_sample_saturn(), size: '1024x1024' },
  { names: ['pears'], prompt: m.images_sample_pears(), size: '1024x1024' },
  { names: ['nook'], prompt: m.images_sample_nook(), size: '1024x1024' },
  { names: ['thermos'], prompt: 'A matte black thermos on pale stone, lit from the left', size: '1024x1024' },
  {
    names: ['lighthouse4', 'lighthouse1', 'lighthouse3', 'lighthouse2'],
    prompt: m.home_images_prompt(),
    size: '1024x1024',
  },
];

const say = (line: string) => process.stdout.write(`${line}\n`);

async function ended<T extends Started>(member: Member, path: string, body: object): Promise<T> {
  const started = await member.write<T>('POST', path, body, randomUUID());
  const { state } = await waitFor(
    `the end of a run of ${path}`,
    async () => {
      const view = await member.read<{ state: string }>(`/api/generations/${started.generation.id}`);
      return !['queued', 'running'].includes(view.state) && view;
    },
    WAIT_MS,
  );
  if (state !== 'done')
    throw new DemoError(`A run of ${path} ended as ${state}. To see what is wrong: npm run doctor`);
  return started;
}

async function webp(bytes: Buffer, size: ImageSize): Promise<Buffer> {
  const height = size === '768x512' ? 480 : 720;
  for (const quality of QUALITIES) {
    const made = await sharp(bytes).resize(720, height, { fit: 'cover' }).webp({ quality }).toBuffer();
    if (made.length <= MOST_BYTES) return made;
  }
  throw new DemoError(`An image is larger than ${MOST_BYTES} bytes at every quality.`);
}

/** @returns the model that made the images. */
async function makeImages(member: Member, to: string): Promise<string> {
  let model = '';
  for (const { names, prompt, size } of images) {
    const wish = { prompt, size, count: names.length };
    const { job } = await ended<StartedImages>(member, '/api/images', wish);
    const { jobs } = await member.read<{ jobs: ImageJob[] }>('/api/images');
    const pictures = jobs.find(({ id }) => id === job.id)?.pictures ?? [];
    if (pictures.length < names.length)
      throw new DemoError(`Only ${pictures.length} of ${names.length} images were made for "${prompt}".`);
    for (const [at, { id }] of pictures.entries()) {
      const file = `${names[at]}.webp`;
      await writeFile(join(to, file), await webp(await member.bytes(`/api/images/pictures/${id}`), size));
      say(`  ${file}`);
    }
    model = job.model;
  }
  return model;
}

/** @returns the model that wrote the texts. */
async function writeTexts(member: Member, to: string): Promise<string> {
  const samples = JSON.parse(await readFile(join(TEXTS, 'samples.json'), 'utf8')) as Record<
    string,
    { filled: string; text?: string }
  >;
  for (const [slug, sample] of Object.entries(samples)) {
    const prompt = curatedPrompts.find((each) => each.slug === slug);
    if (!prompt || sample.text === undefined) continue;
    const chat = randomUUID();
    await member.write('POST', '/api/chats', { id: chat });
    const text = `${prompt.content}\n\nWhat goes into the blanks: ${sample.filled}. Answer with the result only, as plain text of at most 50 words.`;
    await ended(member, `/api/chats/${chat}/messages`, { text });
    const { messages } = await member.read<{ messages: { content: string }[] }>(`/api/chats/${chat}`);
    sample.text = messages.at(-1)?.content.trim() ?? '';
    say(`  ${slug}`);
  }
  await writeFile(join(to, 'samples.json'), `${JSON.stringify(samples, null, 2)}\n`);
  return process.env.LLM_MODEL ?? 'openai/gpt-4o-mini';
}

async function samples({ kinds, to }: Wanted): Promise<void> {
  if (!process.env.LLM_BASE_URL && !process.env.LLM_API_KEY)
    throw new DemoError('No model is set. Set LLM_API_KEY or LLM_BASE_URL; the stand-in makes no samples.');
  const dataDir = mkdtempSync(join(tmpdir(), 'site-samples-'));
  await chmod(dataDir, 0o755);
  const site = await startSite(dataDir, /^(LLM|IMAGE)_/);
  try {
    const member = await signIn(site, 'samples@example.com');
    await buy(member);
    const made = JSON.parse(await readFile(join(IMAGES, 'made.json'), 'utf8')) as Record<
      string,
      string | null
    >;
    if (kinds.includes('images')) made.images = await makeImages(member, to ?? IMAGES);
    if (kinds.includes('texts')) made.texts = await writeTexts(member, to ?? TEXTS);
    await writeFile(join(to ?? IMAGES, 'made.json'), `${JSON.stringify(made, null, 2)}\n`);
  } finally {
    await site.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  say('Made. Review them before you keep them; pages show the name of the model next to them.');
}

interface Wanted {
  kinds: string[];
  /** An existing folder, instead of those in content/. */
  to?: string;
}

/** @returns null when only the help is requested. @throws DemoError with the help. */
function wantedBy(args: string[]): Wanted | null {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { help: { type: 'boolean' }, to: { type: 'string' } },
      allowPositionals: true,
    });
    if (values.help) return null;
    if (positionals.every((kind) => ['images', 'texts'].includes(kind)))
      return { kinds: positionals.length > 0 ? positionals : ['images', 'texts'], to: values.to };
  } catch {
    // The error is thrown below, as for an unknown word.
  }
  throw new DemoError(HELP);
}

try {
  const wanted = wantedBy(process.argv.slice(2));
  if (wanted === null) process.stdout.write(HELP);
  else await samples(wanted);
} catch (error) {
  if (!(error instanceof DemoError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
