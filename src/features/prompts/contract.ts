import { z } from 'zod/mini';

export const categories = ['writing', 'programming', 'image', 'marketing'] as const;
export type Category = (typeof categories)[number];

/** Names of the categories as the page shows them. */
export const categoryNames: Record<Category, string> = {
  writing: 'Writing',
  programming: 'Programming',
  image: 'Image',
  marketing: 'Marketing',
};

export const sorts = ['popular', 'new', 'mine'] as const;
export type Sort = (typeof sorts)[number];

export const promptLimits = {
  /** Code points. */
  titleLength: 80,
  descriptionLength: 160,
  contentLength: 6_000,
  contentLeast: 20,
  reportLength: 500,
  searchLength: 100,
  /** Prompts that the library shows at first and adds at each step; how many one page holds at most. */
  perStep: 24,
  perPage: 240,
  /** A person's own. */
  own: 300,
  /** An hour. */
  created: 30,
  changed: 120,
  submitted: 20,
  liked: 120,
  used: 240,
  rated: 60,
  reported: 10,
} as const;

/** Ratings of people that a prompt needs before they are shown. */
export const ratingsToShow = 3;

/** Refusals, in the specification's words where it has them. */
export const promptTexts = {
  loginRequired: 'Login Required',
  locked: 'Please log in and subscribe to use this prompt.',
  like: 'Please log in to like prompts.',
  upload: 'Please log in to upload prompts.',
  use: 'Please log in to use this prompt.',
  report: 'Please log in to report a prompt.',
  rate: 'Please log in to rate prompts.',
  useFirst: 'Use this prompt first, then you can rate it.',
  ownRating: 'You can’t rate your own prompt.',
  stars: 'A rating is a whole number from 1 to 5.',
  title: `A title has 1 to ${promptLimits.titleLength} characters.`,
  description: `A description has at most ${promptLimits.descriptionLength} characters.`,
  content: `A prompt has ${promptLimits.contentLeast} to ${promptLimits.contentLength.toLocaleString('en-US')} characters.`,
  tooMany: `You keep ${promptLimits.own} prompts already. Delete one to make room.`,
  tooOften: 'You have changed many prompts in a short time. Please wait a while.',
  tooManyLikes: 'That were many likes in a short time. Please wait a while.',
  tooManyReports: 'You have reported many prompts in a short time. Please wait a while.',
  tooManyRatings: 'You have rated many prompts in a short time. Please wait a while.',
  notPending: 'Only a prompt of your own can be submitted.',
} as const;

/** Where a person's own prompt stands; a withdrawn one was taken out of the library by the operator. */
export type PromptState = 'private' | 'pending' | 'approved' | 'rejected' | 'withdrawn';

/** A prompt as the one who asks may see it. */
export interface Prompt {
  id: string;
  /** Address of its page: `/tools/prompts/:slug`, or the id of one that was never published. */
  slug: string;
  title: string;
  description: string;
  /** All of it, or the first lines of a locked one. */
  content: string;
  category: Category;
  likes: number;
  isLiked: boolean;
  /** It is part of Pro, and the one who asks may see its first lines only. */
  isLocked: boolean;
  /** Part of Pro, whoever asks. */
  isPro: boolean;
  /** Of our own collection, not written by a person who uses the site. */
  isCurated: boolean;
  /** Where it opens, filled in. */
  opensIn: 'chat' | 'image';
  /** Mean of what people who used it gave, one decimal; null while fewer than `ratingsToShow` have. */
  rating: { average: number; count: number } | null;
  /** An editor's own rating of a curated prompt, which few have; null too once that of people is shown. */
  editorRating: { value: number; reason: string } | null;
  /** Whether the one who asks has used it, and so may rate it. */
  isUsed: boolean;
  /** What they have rated it, 1 to 5. */
  ownRating: number | null;
  /** Of one's own prompts; null for all others. */
  own: { state: PromptState; reason: string | null } | null;
}

/** What a rating changes of a prompt, as the one who rated it sees it. */
export type Rated = Pick<Prompt, 'rating' | 'editorRating' | 'ownRating'>;

/** Answer of `GET /api/prompts`. */
export interface PromptPage {
  prompts: Prompt[];
  /** How many fit the search, on all pages. */
  total: number;
  from: number;
}

/** What of a search the address holds. */
export interface PromptQuery {
  q: string;
  category: Category | null;
  sort: Sort;
  from: number;
  shown: number;
}

const whole = (text: string | null | undefined, least: number, most: number) => {
  const number = /^\d{1,6}$/.test(text ?? '') ? Number(text) : least;
  return Math.min(most, Math.max(least, number));
};

/** The search that an address asks for; what is unknown or out of bounds counts as absent. */
export function queryOf(search: URLSearchParams): PromptQuery {
  const { perStep, perPage, searchLength } = promptLimits;
  return {
    q: (search.get('q') ?? '').replaceAll('\0', '').trim().slice(0, searchLength).toWellFormed(),
    category: categories.find((each) => each === search.get('category')) ?? null,
    sort: sorts.find((each) => each === search.get('sort')) ?? 'popular',
    from: whole(search.get('from'), 0, 100_000),
    shown: whole(search.get('shown'), perStep, perPage),
  };
}

/** The address of a search below /tools/prompts, without what goes without saying. */
export function pathOf({ q, category, sort, from, shown }: PromptQuery): string {
  const search = new URLSearchParams();
  if (q !== '') search.set('q', q);
  if (category) search.set('category', category);
  if (sort !== 'popular') search.set('sort', sort);
  if (from > 0) search.set('from', String(from));
  if (shown > promptLimits.perStep) search.set('shown', String(shown));
  return `/tools/prompts${search.size > 0 ? `?${search}` : ''}`;
}

/** Lines and characters of a prompt that anybody may see of a locked one. */
const openingLines = 3;
const openingLength = 220;

/** Without a variable that the cut has gone through. */
function beforeOpenBraces(text: string): string {
  const open = text.lastIndexOf('{{');
  return open > text.lastIndexOf('}}') ? text.slice(0, open) : text;
}

/** The first lines of a prompt: at most three, at most a third of it, cut between words and between variables. */
export function openingOf(content: string): string {
  const most = Math.min(openingLength, Math.floor(content.length / 3));
  const lines = content
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, openingLines)
    .join('\n');
  if (lines.length <= most) return lines;
  const cut = lines.slice(0, most);
  const words = cut.slice(0, Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'))) || cut;
  return beforeOpenBraces(words).trimEnd().toWellFormed();
}

// The schemas are marked as pure, so that a page that needs only the limits does not load the validator.

/** Body of `POST /api/prompts` and, without the id, of `PATCH /api/prompts/:id`. The id may be chosen by the client. */
export const promptBody = /* @__PURE__ */ (() =>
  z.object({
    id: z.optional(z.uuid()),
    title: z.string(),
    description: z.optional(z.string()),
    content: z.string(),
    category: z.enum(categories),
  }))();
export type PromptBody = z.infer<typeof promptBody>;

/** Body of `POST /api/prompts/:id/report`. */
export const reportBody = /* @__PURE__ */ (() =>
  z.object({ reason: z.string().check(z.maxLength(promptLimits.reportLength)) }))();

/** Body of `PUT /api/prompts/:id/rating`. */
export const ratingBody = /* @__PURE__ */ (() =>
  z.object({ stars: z.int(promptTexts.stars).check(z.minimum(1), z.maximum(5)) }))();
