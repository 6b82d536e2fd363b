import { curatedPrompts } from '#content/prompts/all.ts';
import { featureTable } from '#features/credits/contract.ts';
import { imageLimits, imageSizes } from '#features/images/contract.ts';
import { documentLimits } from '#features/pdfs/contract.ts';
import { scriptLimits, scriptStyles } from '#features/script/contract.ts';
import { textTypes, tones } from '#features/writer/contract.ts';
import { m } from '#messages';
import type { PricedFeature } from '../parts/tool-terms.ts';

/** A tool of the index. */
export interface ToolEntry {
  feature: PricedFeature;
  path: string;
  name: string;
  /** Day on which the words of its page last changed, as the map of the site tells it. */
  updated: string;
  /** What goes in and what comes out. */
  does: () => string;
  /** What it does with it afterwards. */
  keeps: () => string;
  /** What somebody who is not signed in finds there. */
  guests: () => string;
}

const entries: readonly Omit<ToolEntry, 'path' | 'name'>[] = [
  {
    feature: 'writer',
    updated: '2026-11-22',
    does: () => m.tools_writer_does({ types: textTypes.length, tones: tones.length }),
    keeps: m.tools_writer_keeps,
    guests: m.tools_guests_sample,
  },
  {
    feature: 'script',
    updated: '2026-11-22',
    does: () => m.tools_script_does({ styles: scriptStyles.length, minutes: scriptLimits.mostMinutes }),
    keeps: m.tools_script_keeps,
    guests: m.tools_guests_sample,
  },
  {
    feature: 'image',
    updated: '2026-11-22',
    does: () => m.tools_image_does({ sizes: imageSizes.length, count: imageLimits.count }),
    keeps: m.tools_image_keeps,
    guests: m.tools_guests_sample,
  },
  {
    feature: 'pdf',
    updated: '2026-11-22',
    does: () => m.tools_pdf_does({ pages: documentLimits.pages }),
    keeps: m.tools_pdf_keeps,
    guests: m.tools_guests_sample,
  },
  {
    feature: 'prompts',
    updated: '2026-11-22',
    does: () => m.tools_prompts_does({ count: curatedPrompts.length }),
    keeps: m.tools_prompts_keeps,
    guests: m.tools_guests_prompts,
  },
];

/** In the order of the menu. What can be counted is counted from what the tools themselves go by. */
export const toolEntries: readonly ToolEntry[] = entries.map((entry) => ({
  ...entry,
  path: featureTable[entry.feature].page ?? '',
  get name() {
    return featureTable[entry.feature].name;
  },
}));

export const toolCount = entries.length;
