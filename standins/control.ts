/**
 * The switches of the stand-ins. POST /control merges, GET /control shows, {"reset":true} goes back to the
 * switches of the start. The clock is not a switch: it outlasts a reset and a restart, and only moves by
 * {"clock":{"advanceMs":N}} or {"clock":{"offsetMs":N}}.
 */
import { join } from 'node:path';
import { HttpError, isRecord, type Router, readJson, sendJson } from './http.ts';
import { readJsonFile, writeJsonFileSync } from './state.ts';

/** One switch: how a value from outside is read. Throws HttpError 400 for a bad value. */
type Reader<T> = (value: unknown, name: string) => T;
/** How each switch of a section is read. */
export type Readers<T> = { [K in keyof T]: Reader<T[K]> };

function refuse(name: string, wanted: string): never {
  throw new HttpError(400, 'bad_switch', `${name} must be ${wanted}.`);
}

/** A switch that is one of `values`. */
export function oneOf<T extends string>(values: readonly T[]): Reader<T> {
  return (value, name) =>
    values.find((candidate) => candidate === value) ?? refuse(name, `one of ${values.join(', ')}`);
}

/** A switch that is a number from `least` to `most`. */
export function numberFrom(least: number, most: number): Reader<number> {
  return (value, name) =>
    typeof value === 'number' && value >= least && value <= most
      ? value
      : refuse(name, `a number from ${least} to ${most}`);
}

/** A switch that may also be null. */
export function orNull<T>(reader: Reader<T>): Reader<T | null> {
  return (value, name) => (value === null ? null : reader(value, name));
}

/** A switch that is true or false. */
export const flag: Reader<boolean> = (value, name) =>
  typeof value === 'boolean' ? value : refuse(name, 'true or false');

/** A switch that is a short text. */
export const shortText: Reader<string> = (value, name) =>
  typeof value === 'string' && value.length <= 2000 ? value : refuse(name, 'a short text');

/** A switch that is a text as long as an answer may be. */
export const longText: Reader<string> = (value, name) =>
  typeof value === 'string' && value.length <= 256 * 1024 ? value : refuse(name, 'a text up to 256 KiB');

interface Section {
  reset(): void;
  plan(patch: unknown): () => void;
  show(): unknown;
}

export class Control {
  readonly #sections = new Map<string, Section>();
  /** Switches that may also be given at the top level, with the section they belong to. */
  readonly #short = new Map<string, string>();
  readonly #actions = new Map<string, (value: unknown) => unknown>();
  readonly #clockHearers: (() => void)[] = [];
  readonly #clockPath: string;
  #offsetMs = 0;

  constructor(dir: string) {
    this.#clockPath = join(dir, 'clock.json');
    const stored = readJsonFile(this.#clockPath);
    if (isRecord(stored) && typeof stored.offsetMs === 'number') this.#offsetMs = stored.offsetMs;
  }

  /** Milliseconds that the sandbox's clock is ahead of the machine's. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Adds a section of switches and returns the reader of its present values. */
  section<T extends object>(
    name: string,
    start: T,
    readers: Readers<T>,
    topLevel: (keyof T & string)[] = [],
  ): () => Readonly<T> {
    let now: T = { ...start };
    for (const key of topLevel) this.#short.set(key, name);
    this.#sections.set(name, {
      show: () => now,
      reset: () => {
        now = { ...start };
      },
      plan: (patch) => {
        if (!isRecord(patch)) refuse(name, 'an object');
        const next: T = { ...now };
        for (const [key, value] of Object.entries(patch)) {
          if (!Object.hasOwn(readers, key)) refuse(name, `made of ${Object.keys(readers).join(', ')}`);
          const field = key as keyof T;
          next[field] = readers[field](value, `${name}.${key}`);
        }
        return () => {
          now = next;
        };
      },
    });
    return () => now;
  }

  /**
   * Adds something that a key of POST /control does at once; what it returns is shown in the answer. `section.key`
   * is a key inside a section.
   */
  action(name: string, act: (value: unknown) => unknown): void {
    this.#actions.set(name, act);
  }

  /** Calls `hear` after each move of the clock, before the answer to it goes out. */
  onClock(hear: () => void): void {
    this.#clockHearers.push(hear);
  }

  #movedClock(value: unknown): () => void {
    const within = numberFrom(-4e12, 4e12);
    if (!isRecord(value)) refuse('clock', 'an object');
    const offsetMs =
      'offsetMs' in value
        ? within(value.offsetMs, 'clock.offsetMs')
        : this.#offsetMs + within(value.advanceMs, 'clock.advanceMs');
    return () => {
      this.#offsetMs = offsetMs;
      writeJsonFileSync(this.#clockPath, { offsetMs });
      for (const hear of this.#clockHearers) hear();
    };
  }

  /** Applies one patch, all of it or nothing. Throws HttpError 400 with the known names for a bad one. */
  apply(patch: unknown): Record<string, unknown> {
    if (!isRecord(patch)) refuse('The body', 'an object');
    const steps: (() => void)[] = [];
    const done: Record<string, unknown> = {};
    const bySection = new Map<string, Record<string, unknown>>();
    const act = (key: string, action: (value: unknown) => unknown, value: unknown) =>
      steps.push(() => {
        done[key] = action(value);
      });
    for (const [key, value] of Object.entries(patch)) {
      const short = this.#short.get(key);
      const action = this.#actions.get(key);
      if (key === 'reset') continue;
      if (key === 'clock') steps.push(this.#movedClock(value));
      else if (short) bySection.set(short, { ...bySection.get(short), [key]: value });
      else if (action) act(key, action, value);
      else if (this.#sections.has(key) && isRecord(value)) {
        const switches = bySection.get(key) ?? {};
        for (const [name, part] of Object.entries(value)) {
          const inner = this.#actions.get(`${key}.${name}`);
          if (inner) act(`${key}.${name}`, inner, part);
          else switches[name] = part;
        }
        bySection.set(key, switches);
      } else
        refuse(
          'The body',
          `made of reset, clock, ${[...this.#sections.keys(), ...this.#actions.keys()].join(', ')}`,
        );
    }
    // Read once to refuse a bad patch before anything changes, and again after the reset that it may ask for.
    for (const [name, part] of bySection) this.#sections.get(name)?.plan(part);
    if (patch.reset === true) for (const section of this.#sections.values()) section.reset();
    for (const [name, part] of bySection) this.#sections.get(name)?.plan(part)();
    for (const step of steps) step();
    return done;
  }

  /** Every switch and the clock. */
  show(): Record<string, unknown> {
    const sections = [...this.#sections].map(([name, section]) => [name, section.show()]);
    return { ...Object.fromEntries(sections), clock: { offsetMs: this.#offsetMs } };
  }

  /** Serves /control and /clock. */
  mount(router: Router): void {
    router.on('GET', '/control', ({ res }) => sendJson(res, 200, this.show()));
    router.on('POST', '/control', async ({ req, res }) => {
      const done = this.apply(await readJson(req));
      sendJson(res, 200, { ...this.show(), ...done });
    });
    router.on('GET', '/clock', ({ res }) => sendJson(res, 200, { offsetMs: this.#offsetMs }));
  }
}
