import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { consentVersion, consentWordings } from '#features/support/newsletter/consent-wordings.ts';
import { m } from '#messages';
import { BASE, MESSAGES_FOLDER, readCatalogues } from '../vite/messages/catalogues.ts';
import { englishIn } from './support/english-in.ts';

const catalogues = readCatalogues(MESSAGES_FOLDER);
const files = globSync('src/**/*.{ts,tsx}', { cwd: `${MESSAGES_FOLDER}/..` }).sort();

it('every message is used', () => {
  const used = new Set<string>();
  for (const file of [...files, 'content/assistants.ts']) {
    const code = readFileSync(`${MESSAGES_FOLDER}/../${file}`, 'utf8');
    if (code.includes("'#messages'")) for (const [, key = ''] of code.matchAll(/\bm\.(\w+)/g)) used.add(key);
  }
  const unused = [...(catalogues.get(BASE)?.keys() ?? [])].filter((key) => !used.has(key));
  expect(unused).toEqual([]);
});

it.each([...catalogues.keys()])('%s.json has every key, in their order', (language) => {
  const keys = Object.keys(JSON.parse(readFileSync(`${MESSAGES_FOLDER}/${language}.json`, 'utf8')));
  expect(keys).toEqual([...(catalogues.get(BASE)?.keys() ?? [])].sort());
});

it('the words that are consented to are those on record', () => {
  expect(m.newsletter_consent()).toBe(consentWordings[consentVersion]);
});

/** A sentence of the catalogue before a blank, which Chinese and Japanese have none of (src/shared/join-sentences.ts). */
const BEFORE_BLANK = /\bm\.(\w+)(?:\((?:[^()]|\([^()]*\))*\))?\}(?:<\/\w+>)?(?:\{' '\}| (?=[{<$]))/g;

it('sentences are joined as their language does', () => {
  const english = JSON.parse(readFileSync(`${MESSAGES_FOLDER}/${BASE}.json`, 'utf8')) as Record<
    string,
    string
  >;
  const joined = files.flatMap((file) =>
    [...readFileSync(`${MESSAGES_FOLDER}/../${file}`, 'utf8').matchAll(BEFORE_BLANK)]
      .filter(([, key = '']) => /[.!?]$/.test(english[key] ?? ''))
      .map(([, key]) => `${file}: ${key}`),
  );
  expect(joined).toEqual([]);
});

/** What no visitor reads: the operator's commands and checks, the log, prompts to a model, legal texts and records. */
const FOR_OTHERS = [
  'src/app/commands/',
  'src/app/doctor/',
  'src/app/health-and-metrics.server.ts',
  'src/app/operator/',
  'src/app/startup/',
  'src/features/billing/operator/',
  'src/features/billing/webhook-inbox.server.ts',
  'src/features/generations/compose.server.ts',
  'src/features/generations/gateway/',
  'src/features/generations/model-calls.server.ts',
  'src/app/main.server.ts',
  'src/app/pages/legal/stored-items.ts',
  'src/features/support/contact/contact-message.mail.tsx',
  'src/features/support/newsletter/consent-wordings.ts',
  'src/features/chat/attachments/attachment-parts.server.ts',
  'src/features/chat/title-tool.server.ts',
  'src/features/pdfs/analysis-tool.server.ts',
  'src/features/pdfs/question-tool.server.ts',
  'src/features/pdfs/structured-output.server.ts',
  'src/features/script/compose-script.server.ts',
  'src/features/script/rewrite-scene.server.ts',
  'src/features/writer/compose-text.server.ts',
  'src/features/writer/rephrase-passage.server.ts',
  'src/platform/config/',
  'src/platform/database/',
  'src/platform/http/metrics.server.ts',
  'src/platform/outbound/',
  'src/platform/pdf-reader/reader-main.server.ts',
];

it.each(
  files.filter(
    (file) => !/\.(test|fixture)\.tsx?$/.test(file) && !FOR_OTHERS.some((each) => file.startsWith(each)),
  ),
)('%s says nothing outside the catalogue', (file) => {
  expect(englishIn(`${MESSAGES_FOLDER}/../${file}`)).toEqual([]);
});
