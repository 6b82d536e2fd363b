/**
 * How one call is answered. Three ways to choose, the first one that speaks wins: markers in the last user
 * message, the model's name (standin/<mode>), the switches of POST /control.
 *
 * Markers, when they are on: [[mode:stall]], [[mode:429,ok]] (the first call with this text gets 429, later ones
 * ok), [[tokens:200]], [[tps:20]], [[first:0]] (ms), [[answer:lorem]], [[raw:BASE64]] (exactly this UTF-8 text),
 * [[times:20]] (that so many times), [[piece:3]] (in tokens of so many characters), [[holdAfter:3]] (tokens before a
 * hold), [[context:FORM,TOKENS]] (context.ts), [[words:120,400]] (of a written text and of its correction), [[limit:200]] (tokens, then it stops by itself),
 * [[picture:jpeg]] (odd-pictures.ts). [[moderation:deny]] is the payment provider's. A request for a title takes no
 * markers but [[title:MODE]], so that a test of an answer does not break the
 * title of its chat.
 */
import { HttpError } from '../http.ts';
import { CONTEXT_FORMS, type ContextLimit } from './context.ts';
import { type Mode, modeNamed } from './modes.ts';
import { isOddPicture } from './odd-pictures.ts';

export interface Switches {
  mode: Mode;
  /** 0 = as fast as the reader takes it. */
  tokensPerSecond: number;
  firstTokenMs: number;
  /** Exact length of the answer, or null for its natural one. */
  tokens: number | null;
  answer: 'composed' | 'lorem';
  holdAfter: number;
  /** Seconds in Retry-After of 429, 503 and 529. */
  retryAfter: number;
  /** Refuse image sizes that OpenAI's newest image model refuses. */
  strictSizes: boolean;
  /** Obey markers. */
  markers: boolean;
  /** Exactly this answer to all but titles, or null: a seeded database has its texts from here. */
  says: string | null;
}

export interface Plan extends Switches {
  /** Exactly this answer, or null. */
  raw: string | null;
  /** How often that answer is said. */
  times: number;
  /** Characters of a token of that answer, or null for natural ones. */
  piece: number | null;
  /** Words of a written text and of its correction, or null for what was asked. */
  words: number[] | null;
  /** Tokens after which the gateway stops by itself, or null for what was asked. */
  limit: number | null;
  /** Name of an odd picture, or null for a plain one. */
  picture: string | null;
  /** What the model's context holds, or null for everything. */
  context: ContextLimit | null;
}

const MARKER =
  /\[\[(mode|tokens|tps|first|answer|raw|times|piece|holdAfter|title|words|limit|picture|context|moderation):([^\][\n]*)\]\]/g;
const MAX_TOKENS = 200_000;
const MAX_REMEMBERED = 5000;

function refuse(message: string): never {
  throw new HttpError(400, 'bad_marker', message);
}

function amount(name: string, value: string, most: number): number {
  const number = Number(value);
  if (value.trim() === '' || !(number >= 0 && number <= most))
    refuse(`[[${name}:${value}]] is no number up to ${most}.`);
  return number;
}

function contextOf(value: string): ContextLimit {
  const [named, tokens = ''] = value.split(',');
  const form = CONTEXT_FORMS.find((each) => each === named) ?? refuse(`"${named}" is no form of a refusal.`);
  return { form, tokens: Math.floor(amount('context', tokens, MAX_TOKENS)) };
}

function knownMode(name: string): Mode {
  return modeNamed(name.trim()) ?? refuse(`"${name}" is no mode of the gateway stand-in.`);
}

/** The text without markers. */
export function withoutMarkers(text: string): string {
  return text.replace(MARKER, '').trim();
}

export class Planner {
  readonly #switches: () => Readonly<Switches>;
  /** How often a text with a list of modes was seen. */
  readonly #seen = new Map<string, number>();

  constructor(switches: () => Readonly<Switches>) {
    this.#switches = switches;
  }

  #turnOf<T>(items: T[], text: string): T {
    if (items.length === 1) return items[0]!;
    const seen = this.#seen.get(text) ?? 0;
    if (this.#seen.size > MAX_REMEMBERED) this.#seen.clear();
    this.#seen.set(text, seen + 1);
    return items[Math.min(seen, items.length - 1)]!;
  }

  #nextOf(list: string, text: string): Mode {
    return this.#turnOf(list.split(',').map(knownMode), text);
  }

  #pictureOf(list: string, text: string): string | null {
    const name = this.#turnOf(list.split(','), `picture ${text}`);
    if (name === 'plain') return null;
    return isOddPicture(name) ? name : refuse(`"${name}" is no picture of the gateway stand-in.`);
  }

  #marked(text: string, forTitle: boolean): Partial<Plan> {
    const marked: Partial<Plan> = {};
    for (const [, name, value = ''] of text.matchAll(MARKER)) {
      if (name === 'title' && forTitle) marked.mode = this.#nextOf(value, `title ${text}`);
      if (name === 'title' || name === 'moderation' || forTitle) continue;
      if (name === 'mode') marked.mode = this.#nextOf(value, text);
      else if (name === 'tokens') marked.tokens = Math.floor(amount(name, value, MAX_TOKENS));
      else if (name === 'tps') marked.tokensPerSecond = amount(name, value, 1e6);
      else if (name === 'first') marked.firstTokenMs = amount(name, value, 600_000);
      else if (name === 'holdAfter') marked.holdAfter = Math.floor(amount(name, value, MAX_TOKENS));
      else if (name === 'times') marked.times = Math.floor(amount(name, value, MAX_TOKENS));
      else if (name === 'piece') marked.piece = Math.max(1, Math.floor(amount(name, value, 1000)));
      else if (name === 'picture') marked.picture = this.#pictureOf(value, text);
      else if (name === 'context') marked.context = contextOf(value);
      else if (name === 'limit') marked.limit = Math.max(1, Math.floor(amount(name, value, MAX_TOKENS)));
      else if (name === 'words') marked.words = value.split(',').map((each) => amount(name, each, 10_000));
      else if (name === 'raw') marked.raw = Buffer.from(value, 'base64').toString('utf8');
      else if (value === 'lorem' || value === 'composed') marked.answer = value;
      else refuse(`[[answer:${value}]] is neither lorem nor composed.`);
    }
    return marked;
  }

  /**
   * The plan for a call. `text` is the last user message or the prompt of an image.
   * Throws HttpError 400 for an unknown mode or a bad marker.
   */
  plan(model: string, text: string, forTitle = false): Plan {
    const switches = this.#switches();
    const named = /^standin\/(.+)$/.exec(model)?.[1];
    const byModel =
      named === undefined || named === 'default' || named === 'image' ? {} : { mode: knownMode(named) };
    const marked = switches.markers ? this.#marked(text, forTitle) : {};
    const plan: Plan = {
      raw: switches.says,
      times: 1,
      piece: null,
      picture: null,
      context: null,
      words: null,
      limit: null,
      ...switches,
      ...byModel,
      ...marked,
    };
    if (plan.mode !== 'slow') return plan;
    return {
      ...plan,
      tokensPerSecond: marked.tokensPerSecond ?? 4,
      firstTokenMs: marked.firstTokenMs ?? 2000,
    };
  }
}
