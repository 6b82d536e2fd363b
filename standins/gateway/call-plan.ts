/**
 * An answer is chosen in three ways; the first that applies wins: markers in the last user message (docs/contract.md),
 * the model's name (standin/<mode>), the switches of POST /control. A title request only obeys [[title:MODE]], so that
 * a test of an answer does not break the title of its chat.
 */
import { flag, longText, numberFrom, oneOf, orNull, type SwitchValues, startingAs } from '../control.ts';
import { HttpError } from '../http.ts';
import { CONTEXT_FORMS, type ContextLimit } from './context-limit.ts';
import { MODES, type Mode, modeNamed } from './fault-modes.ts';
import { isPictureFault } from './picture-faults.ts';

export const switchesWith = (markers: boolean) => ({
  mode: startingAs('ok', oneOf(MODES)),
  /** 0: as fast as the reader accepts it. */
  tokensPerSecond: startingAs(60, numberFrom(0, 1e6)),
  firstTokenMs: startingAs(120, numberFrom(0, 600_000)),
  tokens: startingAs(null, orNull(numberFrom(1, 200_000))),
  answer: startingAs('composed', oneOf(['composed', 'lorem'] as const)),
  holdAfter: startingAs(0, numberFrom(0, 200_000)),
  /** Number of thinking tokens in the modes with thinking. */
  thought: startingAs(6, numberFrom(1, 200_000)),
  /** Seconds in Retry-After of 429, 503 and 529. */
  retryAfter: startingAs(1, numberFrom(0, 86_400)),
  /** Refuse image sizes that OpenAI's newest image model refuses. */
  strictSizes: startingAs(false, flag),
  markers: startingAs(markers, flag),
  /** Fixed answer to everything except titles, or null: the texts of a seeded database come from here. */
  says: startingAs(null, orNull(longText)),
});

type Switches = SwitchValues<ReturnType<typeof switchesWith>>;

export interface Plan extends Switches {
  raw: string | null;
  times: number;
  /** Characters per token of the fixed answer, or null for natural tokens. */
  piece: number | null;
  /** Words of a written text and of its correction, or null for the requested length. */
  words: number[] | null;
  /** Tokens after which the gateway stops the answer, or null for the requested limit. */
  limit: number | null;
  picture: string | null;
  /** Size of the model's context, or null for unlimited. */
  context: ContextLimit | null;
  /** Pieces of thinking after which the answer is held as in `hold`, or 0. */
  holdThought: number;
  /** Models that do not answer: the next model in the request does, else 503. */
  away: string[];
}

const MARKER =
  /\[\[(mode|tokens|tps|first|answer|raw|times|piece|holdAfter|thought|holdThought|title|words|limit|picture|context|moderation|away|search):([^\][\n]*)\]\]/g;
const MAX_TOKENS = 200_000;
const MAX_REMEMBERED = 5000;

function refuse(message: string): never {
  throw new HttpError(400, 'bad_marker', message);
}

function amount(name: string, value: string, max: number): number {
  const number = Number(value);
  if (value.trim() === '' || !(number >= 0 && number <= max))
    refuse(`[[${name}:${value}]] is no number up to ${max}.`);
  return number;
}

const wholeNumber = (name: string, value: string, max = MAX_TOKENS) => Math.floor(amount(name, value, max));

function contextOf(value: string): ContextLimit {
  const [formName, tokens = ''] = value.split(',');
  const form =
    CONTEXT_FORMS.find((each) => each === formName) ?? refuse(`"${formName}" is no form of a refusal.`);
  return { form, tokens: wholeNumber('context', tokens) };
}

function knownMode(name: string): Mode {
  return modeNamed(name.trim()) ?? refuse(`"${name}" is no mode of the gateway stand-in.`);
}

export function withoutMarkers(text: string): string {
  return text.replace(MARKER, '').trim();
}

export class Planner {
  readonly #switches: () => Readonly<Switches>;
  readonly #seen = new Map<string, number>();

  constructor(switches: () => Readonly<Switches>) {
    this.#switches = switches;
  }

  #nextOf<T>(items: T[], text: string): T {
    if (items.length === 1) return items[0]!;
    const seen = this.#seen.get(text) ?? 0;
    if (this.#seen.size > MAX_REMEMBERED) this.#seen.clear();
    this.#seen.set(text, seen + 1);
    return items[Math.min(seen, items.length - 1)]!;
  }

  #modeOf(list: string, text: string): Mode {
    return this.#nextOf(list.split(',').map(knownMode), text);
  }

  #pictureOf(list: string, text: string): string | null {
    const name = this.#nextOf(list.split(','), `picture ${text}`);
    if (name === 'plain') return null;
    return isPictureFault(name) ? name : refuse(`"${name}" is no picture of the gateway stand-in.`);
  }

  #fromMarkers(name: string, value: string, text: string): Partial<Plan> {
    switch (name) {
      case 'mode':
        return { mode: this.#modeOf(value, text) };
      case 'tps':
        return { tokensPerSecond: amount(name, value, 1e6) };
      case 'first':
        return { firstTokenMs: amount(name, value, 600_000) };
      case 'tokens':
      case 'holdAfter':
      case 'holdThought':
      case 'thought':
      case 'times':
        return { [name]: wholeNumber(name, value) };
      case 'limit':
        return { limit: Math.max(1, wholeNumber(name, value)) };
      case 'piece':
        return { piece: Math.max(1, wholeNumber(name, value, 1000)) };
      case 'picture':
        return { picture: this.#pictureOf(value, text) };
      case 'away':
        return { away: value.split(',') };
      case 'context':
        return { context: contextOf(value) };
      case 'words':
        return { words: value.split(',').map((each) => amount(name, each, 10_000)) };
      case 'raw':
        return { raw: Buffer.from(value, 'base64').toString('utf8') };
      case 'answer':
        if (value !== 'lorem' && value !== 'composed')
          refuse(`[[answer:${value}]] is not lorem or composed.`);
        return { answer: value };
      default:
        return {};
    }
  }

  /** Returns the plan for an answer. @throws HttpError 400 for an unknown mode or a bad marker. */
  plan(model: string, text: string, forTitle = false): Plan {
    const switches = this.#switches();
    const modeName = /^standin\/(?!default$|image$)(.+)$/.exec(model)?.[1];
    const fromMarkers: Partial<Plan> = {};
    for (const [, name = '', value = ''] of switches.markers ? text.matchAll(MARKER) : [])
      if (!forTitle) Object.assign(fromMarkers, this.#fromMarkers(name, value, text));
      else if (name === 'title') fromMarkers.mode = this.#modeOf(value, `title ${text}`);
    const plan: Plan = {
      raw: switches.says,
      times: 1,
      ...{ piece: null, picture: null, context: null, words: null, limit: null, away: [], holdThought: 0 },
      ...switches,
      ...(modeName === undefined ? {} : { mode: knownMode(modeName) }),
      ...fromMarkers,
    };
    return plan.mode === 'slow' ? { ...plan, tokensPerSecond: 4, firstTokenMs: 2000, ...fromMarkers } : plan;
  }
}
