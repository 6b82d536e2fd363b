/**
 * Switches of the stand-ins. {"reset":true} restores the initial ones. The clock is not a switch: it survives a reset
 * and a restart, and only moves by {"clock":{"advanceMs":N}} or {"clock":{"offsetMs":N}}.
 */
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { HttpError, isRecord, type Router, readJson, sendJson } from './http.ts';
import { readJsonFile, writeJsonFileSync } from './json-file.ts';

/** How long `GET /clock?unlike=` waits for the clock to move. */
const CLOCK_WAIT_MS = 20_000;

type Reader<T> = (value: unknown, name: string) => T;
export interface Switch<T> {
  start: T;
  read: Reader<T>;
}
export type SwitchValues<S> = { [K in keyof S]: S[K] extends Switch<infer T> ? T : never };

export const startingAs = <T>(start: NoInfer<T>, read: Reader<T>): Switch<T> => ({ start, read });

export function refuse(name: string, expected: string): never {
  throw new HttpError(400, 'bad_switch', `${name} must be ${expected}.`);
}

export const oneOf =
  <T extends string>(values: readonly T[]): Reader<T> =>
  (value, name) =>
    values.find((candidate) => candidate === value) ?? refuse(name, `one of ${values.join(', ')}`);

export const numberFrom =
  (min: number, max: number): Reader<number> =>
  (value, name) =>
    typeof value === 'number' && value >= min && value <= max
      ? value
      : refuse(name, `a number from ${min} to ${max}`);

export const orNull =
  <T>(reader: Reader<T>): Reader<T | null> =>
  (value, name) =>
    value === null ? null : reader(value, name);

export const flag: Reader<boolean> = (value, name) =>
  typeof value === 'boolean' ? value : refuse(name, 'true or false');

const text =
  (max: number): Reader<string> =>
  (value, name) =>
    typeof value === 'string' && value.length <= max ? value : refuse(name, `a text up to ${max} characters`);
export const shortText = text(2000);
export const longText = text(256 * 1024);

interface Section {
  reset(): void;
  plan(patch: unknown): () => void;
  show(): unknown;
}

type Action = (value: unknown) => unknown;

export class Control {
  readonly #sections = new Map<string, Section>();
  readonly #topLevel = new Map<string, string>();
  readonly #actions = new Map<string, Action>();
  readonly #clock = new EventEmitter().setMaxListeners(0);
  readonly #clockPath: string;
  /** Milliseconds by which the sandbox's clock is ahead of the machine's. */
  offsetMs = 0;

  constructor(dir: string) {
    this.#clockPath = join(dir, 'clock.json');
    const stored = readJsonFile(this.#clockPath);
    if (isRecord(stored) && typeof stored.offsetMs === 'number') this.offsetMs = stored.offsetMs;
  }

  section<S extends Record<string, Switch<unknown>>>(
    name: string,
    switches: S,
    topLevel: readonly (keyof S & string)[] = [],
  ): () => Readonly<SwitchValues<S>> {
    const start = Object.entries(switches).map(([key, each]) => [key, each.start]);
    let current: Record<string, unknown> = Object.fromEntries(start);
    for (const key of topLevel) this.#topLevel.set(key, name);
    this.#sections.set(name, {
      show: () => current,
      reset: () => {
        current = Object.fromEntries(start);
      },
      plan: (patch) => {
        if (!isRecord(patch)) refuse(name, 'an object');
        const next = { ...current };
        for (const [key, value] of Object.entries(patch)) {
          const known = Object.hasOwn(switches, key) ? switches[key] : undefined;
          if (!known) refuse(name, `made of ${Object.keys(switches).join(', ')}`);
          next[key] = known.read(value, `${name}.${key}`);
        }
        return () => {
          current = next;
        };
      },
    });
    return () => current as SwitchValues<S>;
  }

  /** Registers an action by name or `section.key`; the result of `run` is included in the response. */
  action(name: string, run: Action): void {
    this.#actions.set(name, run);
  }

  /** Calls `listener` after each move of the clock, before the response is sent. */
  onClock(listener: () => void): void {
    this.#clock.on('move', listener);
  }

  #moveClock(value: unknown): () => void {
    const readOffset = numberFrom(-4e12, 4e12);
    if (!isRecord(value)) refuse('clock', 'an object');
    const offsetMs =
      'offsetMs' in value
        ? readOffset(value.offsetMs, 'clock.offsetMs')
        : this.offsetMs + readOffset(value.advanceMs, 'clock.advanceMs');
    return () => {
      this.offsetMs = offsetMs;
      writeJsonFileSync(this.#clockPath, { offsetMs });
      this.#clock.emit('move');
    };
  }

  /** Applies a patch completely or not at all. @throws HttpError 400 with the known names. */
  apply(patch: unknown): Record<string, unknown> {
    if (!isRecord(patch)) refuse('The body', 'an object');
    const { reset, ...others } = patch;
    const results: Record<string, unknown> = {};
    const steps: (() => void)[] = [];
    const patches = new Map<string, Record<string, unknown>>();
    const add = (section: string, key: string, value: unknown) => {
      const name = `${section}.${key}`;
      const action = this.#actions.get(name);
      if (action) steps.push(() => Object.assign(results, { [name]: action(value) }));
      else patches.set(section, { ...patches.get(section), [key]: value });
    };
    for (const [key, value] of Object.entries(others)) {
      const section = this.#topLevel.get(key);
      const action = this.#actions.get(key);
      if (key === 'clock') steps.push(this.#moveClock(value));
      else if (section) add(section, key, value);
      else if (action) steps.push(() => Object.assign(results, { [key]: action(value) }));
      else if (this.#sections.has(key) && isRecord(value))
        for (const [name, part] of Object.entries(value)) add(key, name, part);
      else
        refuse(
          'The body',
          `made of reset, clock, ${[...this.#sections.keys(), ...this.#actions.keys()].join(', ')}`,
        );
    }
    // Reads the patch once to refuse a bad one before anything changes, and again after a requested reset.
    for (const [name, part] of patches) this.#sections.get(name)?.plan(part);
    if (reset === true) for (const section of this.#sections.values()) section.reset();
    for (const [name, part] of patches) this.#sections.get(name)?.plan(part)();
    for (const step of steps) step();
    return results;
  }

  show(): Record<string, unknown> {
    const sections = [...this.#sections].map(([name, section]) => [name, section.show()]);
    return { ...Object.fromEntries(sections), clock: { offsetMs: this.offsetMs } };
  }

  mount(router: Router): void {
    router.on('GET', '/control', ({ res }) => sendJson(res, 200, this.show()));
    router.on('POST', '/control', async ({ req, res }) => {
      const results = this.apply(await readJson(req));
      sendJson(res, 200, { ...this.show(), ...results });
    });
    router.on('GET', '/clock', async ({ res, url }) => {
      if (url.searchParams.get('unlike') === String(this.offsetMs)) {
        const ended = new AbortController();
        res.once('close', () => ended.abort());
        const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(CLOCK_WAIT_MS)]);
        await once(this.#clock, 'move', { signal }).catch(() => undefined);
      }
      if (!res.destroyed) sendJson(res, 200, { offsetMs: this.offsetMs });
    });
  }
}
