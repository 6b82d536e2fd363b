import { image } from './image.ts';
import { marketing } from './marketing.ts';
import { programming } from './programming.ts';
import type { CuratedEntry, CuratedPrompt } from './prompt.ts';
import { promptTags } from './tags.ts';
import { writing } from './writing.ts';

const categories: [CuratedPrompt['category'], CuratedEntry[]][] = [
  ['writing', writing],
  ['programming', programming],
  ['marketing', marketing],
  ['image', image],
];

const longest = Math.max(...categories.map(([, entries]) => entries.length));

/** The whole collection, one of each category after the other, in the order in which the library shows it. */
export const curatedPrompts: CuratedPrompt[] = Array.from({ length: longest }, (_, at) =>
  categories.flatMap(([category, entries]) => {
    const entry = entries[at];
    return entry ? [{ ...entry, category, tags: promptTags[entry.slug] ?? [] }] : [];
  }),
).flat();
