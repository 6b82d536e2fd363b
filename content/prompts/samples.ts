import nook from '../samples/nook.webp?url';
import saturn from '../samples/saturn.webp?url';
import thermos from '../samples/thermos.webp?url';
import whale from '../samples/whale.webp?url';

/** What a prompt can lead to: written or drawn by us, and called a sample. All names and figures in them are invented. */
export interface PromptSample {
  /** What was filled in, in a few words. */
  filled: string;
  text?: string;
  picture?: { url: string; alt: string; width: number; height: number };
}

const square = { width: 600, height: 600 };

/** By the slug of the prompt; most have none. */
export const promptSamples: Readonly<Record<string, PromptSample>> = {
  'cut-a-text-by-a-third': {
    filled:
      'A notice of 22 words: “We are very pleased to be able to inform our customers that the shop will be opening its doors again on Monday.”',
    text: 'We are pleased to tell customers that the shop opens again on Monday.\nWhat went: “very”, “be able to inform our”, “will be opening its doors”.',
  },
  'review-a-diff': {
    filled: 'A change that shows the last order of a customer',
    text: 'High · orders.ts, line 42: a customer without orders gives orders[-1], which is undefined; .total then throws.\nFix: return null where orders.length is 0, and test it with a new customer.',
  },
  'positioning-statement': {
    filled: 'A bike tire that seals itself, sold to couriers',
    text: 'For couriers who cannot stop for a flat. Instead of a repair kit in the bag: a tire that closes a puncture while you ride. You give up riders who count grams.',
  },
  'product-photo-on-surface': {
    filled: 'A matte black thermos bottle, pale travertine, right third empty',
    picture: { url: thermos, alt: 'A matte black thermos on pale stone, lit from the left', ...square },
  },
  'say-no-kindly': {
    filled: 'A client, the spring brochure, booked until May, June instead',
    text: 'Hi Dana, I can’t take on the spring brochure. My weeks are booked until May. If June works for you, I’d be glad to do it then, and I can hold the first week until Friday.',
  },
  'find-the-cause-of-a-bug': {
    filled: 'A daily report that dates some sales one day late for New York',
    text: '1. Time zone, most likely: the job runs at 00:30 UTC, when it is still the day before in New York. Cheapest test: log one sale’s time with its zone.\n2. Late events: sales that arrive after the job. Test: compare arrival and sale time.',
  },
  'isometric-room': {
    filled: 'Reading nook, a retired librarian, evening lamp light',
    picture: { url: nook, alt: 'Isometric reading nook with a yellow armchair and a bookcase', ...square },
  },
  'meeting-notes-to-minutes': {
    filled: 'Eleven lines of rough notes',
    text: 'Decisions: the launch moves to June 3 (Ana).\nTasks: update the price list, Ben, due date not named.\nOpen: who answers mail on weekends?',
  },
  'poster-without-text': {
    filled: 'An open night at the observatory, lower third calm',
    picture: { url: saturn, alt: 'Saturn above dark hills, with a small rocket', ...square },
  },
  'storybook-illustration': {
    filled: 'A whale under a small boat, cut paper',
    picture: { url: whale, alt: 'Paper-cut whale below a small sailing boat', width: 600, height: 400 },
  },
  'regex-with-proof': {
    filled: 'Dates such as 2026-11-22',
    text: '^\\d{4}-\\d{2}-\\d{2}$\nMatches 2026-11-22. Refuses 22.11.2026 and 2026-1-5.\nAlso matches 2026-13-40: check the month and day in code.',
  },
  'subject-lines-with-angles': {
    filled: 'A hosting plan that became cheaper',
    text: 'Question: Still paying the old price?\nFigure: $4 less a month, nothing to do\nPlain: Your plan now costs less',
  },
};
