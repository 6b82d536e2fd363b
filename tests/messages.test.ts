import { globSync, readFileSync } from 'node:fs';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { consentVersion, consentWordings } from '#features/support/newsletter/consent-wordings.ts';
import { m } from '#messages';
import { BASE, MESSAGES_FOLDER, readCatalogues } from '../vite/messages/catalogues.ts';
import { untranslatedText } from './support/untranslated-text.ts';

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

it('the consent text is the one on record', () => {
  expect(m.newsletter_consent()).toBe(consentWordings[consentVersion]);
});

/** Messages whose numbers are limits far above one. */
const LIMITS =
  /^(assistants_full|chat_attach_full|chat_pins_full|contact_message_long|export_too_many_pages|field_|images_too_long|pdfs_limits|pdfs_promise_find|project_full|script_promise_length|tag_full|tag_items?_full|chat_length|image_too_many_pixels|texts_too_many_versions|tools_(image|script|title|writer)|writer_length_words|pricing_limit_message)/;

/** Names of placeholders that are counts, whatever type the message declares. */
const COUNTS = /^(days?|hours?|minutes|seconds|credits|count|words|messages|images|texts)$/;

it('no message puts a plural after a count of one', () => {
  const found = [...(catalogues.get(BASE) ?? [])].flatMap(([key, { placeholders }]) => {
    const samples = Object.entries(placeholders).map(([name, kind]) => {
      const value = kind === 'tag' ? (text: string) => text : kind === 'text' && !COUNTS.test(name) ? 'x' : 1;
      return [name, typeof kind === 'string' ? value : kind[0]];
    });
    const rendered = (m as Record<string, (values: object) => unknown>)[key]?.(Object.fromEntries(samples));
    const text = typeof rendered === 'string' ? rendered : renderToStaticMarkup(rendered as ReactNode);
    return !LIMITS.test(key) && /(^|\s)1 (free )?[a-z]{2,}(?<!s)s\b/.test(text) ? [`${key}: ${text}`] : [];
  });
  expect(found).toEqual([]);
});

/** Returns the plural forms that a text has for each of its numbers, exact numbers included. */
function pluralsOf(elements: MessageFormatElement[], forms = new Map<string, string[][]>()) {
  for (const element of elements) {
    if (element.type === TYPE.plural)
      forms.set(element.value, [...(forms.get(element.value) ?? []), Object.keys(element.options)]);
    if ('options' in element) for (const { value } of Object.values(element.options)) pluralsOf(value, forms);
    if ('children' in element) pluralsOf(element.children, forms);
  }
  return forms;
}

/** Messages with page ranges or a number after a colon, where no noun follows. */
const NO_NOUN = ['chat_document_begun', 'chat_document_part', 'chat_document_start', 'common_table'];
const FIGURE = {
  ar: ['chat_landing_description', 'home_description', 'pricing_limit_stopped_text'],
  es: ['pdfs_extent'],
} as Record<string, string[]>;

it.each([...catalogues.keys()].filter((language) => language !== BASE))(
  '%s counts in its own forms',
  (language) => {
    const read = (name: string) =>
      JSON.parse(readFileSync(`${MESSAGES_FOLDER}/${name}.json`, 'utf8')) as Record<string, string>;
    const [english, texts] = [read(BASE), read(language)];
    // The form `many` is for millions in other languages, and nothing here counts that far.
    const forms = new Intl.PluralRules(language)
      .resolvedOptions()
      .pluralCategories.filter((form) => form !== 'other' && (form !== 'many' || language === 'ar'));
    const excluded = [...NO_NOUN, ...(FIGURE[language] ?? [])];
    const found = Object.keys(english).flatMap((key) => {
      if (excluded.includes(key) || LIMITS.test(key)) return [];
      const translated = pluralsOf(parse(texts[key] ?? ''));
      return [...pluralsOf(parse(english[key] ?? '')).keys()].flatMap((name) =>
        (translated.get(name) ?? [[]])
          .filter(
            (translatedForms) =>
              !forms.every(
                (form) =>
                  translatedForms.includes(form) ||
                  translatedForms.includes(`=${['zero', 'one', 'two'].indexOf(form)}`),
              ),
          )
          .map(() => `${key}: {${name}} in ${texts[key]}`),
      );
    });
    expect(found).toEqual([]);
  },
);

/** A sentence of the catalogue before a space, which Chinese and Japanese do not use (src/shared/join-sentences.ts). */
const BEFORE_BLANK = /\bm\.(\w+)(?:\((?:[^()]|\([^()]*\))*\))?\}(?:<\/\w+>)?(?:\{' '\}| (?=[{<$]))/g;

it('sentences are joined by the rules of their language', () => {
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

/**
 * Files without text for visitors: the operator's commands and checks, the log, prompts to a model, legal texts and
 * records.
 */
const FOR_OTHERS = [
  'src/app/admin/',
  'src/app/backup/',
  'src/app/commands/',
  'src/app/doctor/',
  'src/app/health-and-metrics.server.ts',
  'src/app/operator/',
  'src/app/startup/',
  'src/features/accounts/instructions/instruction-text.server.ts',
  'src/features/billing/operator/',
  'src/features/billing/webhook-inbox.server.ts',
  'src/features/billing/webhook-metrics.server.ts',
  'src/features/credits/credit-settings.server.ts',
  'src/features/dictation/dictation-settings.server.ts',
  'src/features/generations/compose.server.ts',
  'src/features/generations/frame-as-data.server.ts',
  'src/features/generations/gateway/',
  'src/features/generations/model-calls.server.ts',
  'src/features/generations/transcription-call.server.ts',
  'src/features/generations/run-metrics.server.ts',
  'src/app/main.server.ts',
  'src/app/pages/legal/stored-items.ts',
  'src/features/support/contact/contact-message.mail.tsx',
  'src/features/support/newsletter/consent-wordings.ts',
  'src/features/chat/attachments/attachment-parts.server.ts',
  'src/features/chat/attachments/fit-workbook.server.ts',
  'src/features/chat/own-assistants/assistant-instruction.server.ts',
  'src/features/chat/title-tool.server.ts',
  'src/features/chat/web-search/',
  'src/features/openai/',
  'src/features/pdfs/analysis-tool.server.ts',
  'src/features/pdfs/question-tool.server.ts',
  'src/features/pdfs/structured-output.server.ts',
  'src/features/script/compose-script.server.ts',
  'src/features/script/rewrite-scene.server.ts',
  'src/features/writer/compose-text.server.ts',
  'src/features/writer/rephrase-passage.server.ts',
  'src/platform/backup/',
  'src/platform/config/',
  'src/platform/database/',
  'src/platform/metrics/',
  'src/platform/outbound/',
  'src/platform/document-reader/reader-main.server.ts',
  'src/platform/settings/',
];

it.each(
  files.filter(
    (file) => !/\.(test|fixture)\.tsx?$/.test(file) && !FOR_OTHERS.some((each) => file.startsWith(each)),
  ),
)('%s has no text outside the catalogue', (file) => {
  expect(untranslatedText(`${MESSAGES_FOLDER}/../${file}`)).toEqual([]);
});
