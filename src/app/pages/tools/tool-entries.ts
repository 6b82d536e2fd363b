import { curatedPrompts } from '#content/prompts/all.ts';
import { featureTable } from '#features/credits/contract.ts';
import { imageLimits, imageSizes } from '#features/images/contract.ts';
import { documentLimits } from '#features/pdfs/contract.ts';
import { scriptLimits, scriptStyles } from '#features/script/contract.ts';
import { textTypes, tones } from '#features/writer/contract.ts';
import { m } from '#messages';
import type { PricedFeature } from '../parts/tool-terms.ts';

export interface ToolEntry {
  feature: PricedFeature;
  path: string;
  name: string;
  /** ISO date of the last change of the page's text, for the site map. */
  updated: string;
  description: () => string;
  storageNote: () => string;
  guestNote: () => string;
}

const entries: readonly Omit<ToolEntry, 'path' | 'name'>[] = [
  {
    feature: 'writer',
    updated: '2026-11-22',
    description: () => m.tools_writer_does({ types: textTypes.length, tones: tones.length }),
    storageNote: m.tools_writer_keeps,
    guestNote: m.tools_guests_sample,
  },
  {
    feature: 'script',
    updated: '2026-11-22',
    description: () => m.tools_script_does({ styles: scriptStyles.length, minutes: scriptLimits.maxMinutes }),
    storageNote: m.tools_script_keeps,
    guestNote: m.tools_guests_sample,
  },
  {
    feature: 'image',
    updated: '2026-11-22',
    description: () => m.tools_image_does({ sizes: imageSizes.length, count: imageLimits.count }),
    storageNote: m.tools_image_keeps,
    guestNote: m.tools_guests_sample,
  },
  {
    feature: 'pdf',
    updated: '2026-11-22',
    description: () => m.tools_pdf_does({ pages: documentLimits.pages }),
    storageNote: m.tools_pdf_keeps,
    guestNote: m.tools_guests_sample,
  },
  {
    feature: 'prompts',
    updated: '2026-11-22',
    description: () => m.tools_prompts_does({ count: curatedPrompts.length }),
    storageNote: m.tools_prompts_keeps,
    guestNote: m.tools_guests_prompts,
  },
];

const all: readonly ToolEntry[] = entries.map((entry) => ({
  ...entry,
  path: featureTable[entry.feature].page ?? '',
  get name() {
    return featureTable[entry.feature].name;
  },
}));

export const toolEntries = (): readonly ToolEntry[] =>
  all.filter(({ feature }) => featureTable[feature].offered);
