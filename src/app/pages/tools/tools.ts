import { curatedPrompts } from '../../../../content/prompts/all.ts';
import { imageLimits, imageSizes } from '../../../features/image/contract.ts';
import { documentLimits } from '../../../features/pdf/contract.ts';
import { scriptFormats, scriptLimits, scriptStyles } from '../../../features/script/contract.ts';
import { lengths, textTypes, tones, typeNames, wordRanges } from '../../../features/writer/contract.ts';
import type { PricedFeature } from '../parts/tool-terms.ts';

const number = new Intl.NumberFormat('en-US');
const all = (words: readonly string[]) => new Intl.ListFormat('en').format(words);
const either = (words: readonly string[]) => new Intl.ListFormat('en', { type: 'disjunction' }).format(words);
const small = (word: string) => word.toLowerCase();
const count = (many: number) =>
  ['no', 'one', 'two', 'three', 'four', 'five', 'six'][many] ?? number.format(many);

const range = ({ least, most }: (typeof wordRanges)['short']) =>
  `${number.format(least)} to ${number.format(most)}`;

/** A tool of the index. */
export interface ToolEntry {
  feature: PricedFeature;
  path: string;
  name: string;
  /** What goes in and what comes out. */
  does: string;
  /** What it does with it afterwards. */
  keeps: string;
  /** What somebody who is not signed in finds there. */
  guests: string;
}

/** The five tools, in the order of the menu. What can be counted is counted from what the tools themselves go by. */
export const toolEntries: readonly ToolEntry[] = [
  {
    feature: 'writer',
    path: '/tools/writer',
    name: 'AI Writer',
    does: `Say what the text is for, then pick one of ${count(textTypes.length)} types (${all(textTypes.map((type) => small(typeNames[type])))}), one of ${count(tones.length)} tones and a length: ${all(lengths.map((length) => range(wordRanges[length])))} words. The page counts along and says when a text falls outside.`,
    keeps:
      'Select a passage to have it shortened, expanded, corrected or put in another tone. Every version stays; take any of them away as plain text, Markdown, Word or PDF.',
    guests: 'The form; sign-in comes at the first press',
  },
  {
    feature: 'script',
    path: '/tools/script',
    name: 'Script Generator',
    does: `Describe a scene and choose ${either(scriptStyles.map(({ label }) => small(label)))}. What comes is a screenplay of up to ${scriptLimits.mostMinutes} minutes with headings, action and dialogue where a production expects them.`,
    keeps: `Have one scene or one line written again and accept it or not. Exports: ${all(scriptFormats.map(({ label }) => label))}.`,
    guests: 'A sample, set as every script is',
  },
  {
    feature: 'image',
    path: '/tools/image',
    name: 'Image Generator',
    does: `Describe a picture, choose one of ${count(imageSizes.length)} sizes, and ask for up to ${count(imageLimits.count)} at once. The button names the price of what you are about to ask for.`,
    keeps:
      'Pictures go on being made when you leave the page, and stay in a gallery that can be searched by what you wrote. Each file says inside that a model made it.',
    guests: 'The form; sign-in comes at the first press',
  },
  {
    feature: 'pdf',
    path: '/tools/pdf',
    name: 'PDF Analyzer',
    does: `Give it a PDF of up to 10 MB; the first ${documentLimits.pages} pages are read. You get a summary, questions with answers, and keywords with their counts.`,
    keeps:
      'Every statement comes with the words that it rests on and their page. Words that are not found in the document are left out, and the statement with them. Then ask questions of your own.',
    guests: 'A sample analysis',
  },
  {
    feature: 'prompts',
    path: '/tools/prompts',
    name: 'Prompt Lab',
    does: `${curatedPrompts.length} prompts for writing, programming, images and marketing, and those that other people have shared. Blanks are filled in a form, so that nothing is left in square brackets.`,
    keeps:
      'A filled prompt opens in the chat. Keep prompts of your own, like the ones that work, and submit what others should have.',
    guests: 'Reading and searching',
  },
];
