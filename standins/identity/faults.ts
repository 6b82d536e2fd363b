import type { ServerResponse } from 'node:http';
import { oneOf, type SwitchValues, startingAs } from '../control.ts';
import type { HeldCalls } from '../held-calls.ts';
import { HttpError, send } from '../http.ts';
import type { ProviderName } from './users.ts';

export type Place = 'authorize' | 'token' | 'user' | 'emails' | 'jwks';

const PLACES: Record<ProviderName, readonly Place[]> = {
  google: ['authorize', 'token', 'user', 'jwks'],
  github: ['authorize', 'token', 'user', 'emails'],
};

/** Faults of any endpoint, besides error:CODE with any OAuth error code. */
const ANYWHERE = ['status500', 'status503', 'html', 'slow'] as const;

const OWN_PLACE = {
  stateTampered: 'authorize',
  wrongResponseIss: 'authorize',
  wrongAud: 'token',
  expired: 'token',
  wrongNonce: 'token',
  algNone: 'token',
  unknownKid: 'token',
  badSignature: 'token',
  wrongIss: 'token',
  noIdToken: 'token',
} as const satisfies Record<string, Place>;

type OwnFault = keyof typeof OWN_PLACE;

export const FAULTS: Record<ProviderName, readonly string[]> = {
  google: [...ANYWHERE, ...Object.keys(OWN_PLACE)],
  github: [...ANYWHERE, 'stateTampered'],
};

/** The characters of an error code: RFC 6749 4.1.2.1. */
const ERROR_FAULT = /^error:([\x20-\x21\x23-\x5b\x5d-\x7e]{1,200})$/;

/** Returns a reader of fault names. @throws HttpError 400 for an unknown name. */
function faultReader(provider: ProviderName): (value: unknown, name: string) => string {
  const known = ['none', ...FAULTS[provider]];
  return (value, name) => {
    if (typeof value === 'string' && (known.includes(value) || ERROR_FAULT.test(value))) return value;
    throw new HttpError(400, 'bad_switch', `${name} must be one of ${known.join(', ')}, error:CODE`);
  };
}

export const faultSwitches = (provider: ProviderName) => ({
  fault: startingAs('none', faultReader(provider)),
  at: startingAs('token', oneOf(PLACES[provider])),
});

type FaultSwitches = SwitchValues<ReturnType<typeof faultSwitches>>;

/** Sends an error response; `code` is only set for error:CODE, with status 400. */
export type Failure = (status: number, code: string | null) => void;

const HTML = '<!doctype html><html><head><title>Sorry</title></head><body><h1>Sorry</h1></body></html>';

export class Faults {
  readonly #provider: ProviderName;
  readonly #switches: () => Readonly<FaultSwitches>;
  readonly #held: HeldCalls;

  constructor(provider: ProviderName, switches: () => Readonly<FaultSwitches>, held: HeldCalls) {
    this.#provider = provider;
    this.#switches = switches;
    this.#held = held;
  }

  at(place: Place): string | null {
    const { fault, at } = this.#switches();
    if (fault === 'none') return null;
    const faultPlace = Object.hasOwn(OWN_PLACE, fault) ? OWN_PLACE[fault as OwnFault] : at;
    return faultPlace === place ? fault : null;
  }

  is(fault: OwnFault): boolean {
    return this.#switches().fault === fault;
  }

  /**
   * Resolves true when the response has been sent or the reader is gone. A slow call is held until POST /control
   * {"release": true} (or a part of "google token") and then continues normally.
   */
  async interrupted(res: ServerResponse, place: Place, fail: Failure): Promise<boolean> {
    const fault = this.at(place);
    if (fault === 'slow') return !(await this.#held.wait(`${this.#provider} ${place}`, res));
    const code = ERROR_FAULT.exec(fault ?? '')?.[1];
    if (code) fail(400, code);
    else if (fault === 'status500') fail(500, null);
    else if (fault === 'status503') fail(503, null);
    else if (fault === 'html') send(res, 200, 'text/html', HTML);
    else return false;
    return true;
  }
}
