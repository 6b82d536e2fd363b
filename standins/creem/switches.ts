/** The switches of the payment provider: POST /control {"creem": {...}}. What each one does is said in service.ts. */
import { flag, numberFrom, oneOf, orNull, type Readers, shortText } from '../control.ts';
import { HttpError, isLoopbackHost, isRecord } from '../http.ts';
import { FAULTS, type ModerationSwitches } from './moderation.ts';

const API_FAULTS = ['down', 'slow', 'status500', 'status429', 'html', 'malformed', 'lost'] as const;
const REFUNDS = ['succeeded', 'pending', 'failed'] as const;
const SIGNATURES = ['creem', 'standard'] as const;

/** What goes wrong with calls of the API whose path begins with `path`, for `times` calls. */
export interface ApiFault {
  fault: (typeof API_FAULTS)[number];
  path: string;
  times: number;
}

export interface CreemSwitches extends ModerationSwitches {
  api: ApiFault | null;
  refunds: (typeof REFUNDS)[number];
  unknownStatus: boolean;
  taxPercent: number;
  siteUrl: string | null;
  webhooks: boolean;
  signatureForm: (typeof SIGNATURES)[number];
  retryScale: number;
  duplicate: number;
  reorder: number;
  delay: number;
  lose: number | string[];
  forge: boolean;
  unknownEvent: boolean;
  seed: number;
}

export const startSwitches: CreemSwitches = {
  moderation: 'ok',
  api: null,
  refunds: 'succeeded',
  unknownStatus: false,
  taxPercent: 0,
  siteUrl: null,
  webhooks: true,
  signatureForm: 'creem',
  retryScale: 30,
  duplicate: 1,
  reorder: 0,
  delay: 0,
  lose: 0,
  forge: false,
  unknownEvent: false,
  seed: 1,
};

function bad(name: string, wanted: string): never {
  throw new HttpError(400, 'bad_switch', `${name} must be ${wanted}.`);
}

function apiFault(value: unknown, name: string): ApiFault {
  if (!isRecord(value)) return { fault: oneOf(API_FAULTS)(value, name), path: '/', times: Infinity };
  for (const key of Object.keys(value))
    if (!['fault', 'path', 'times'].includes(key)) bad(name, 'made of fault, path, times');
  return {
    fault: oneOf(API_FAULTS)(value.fault, `${name}.fault`),
    path: shortText(value.path ?? '/', `${name}.path`),
    times: value.times === undefined ? Infinity : numberFrom(1, 1e6)(value.times, `${name}.times`),
  };
}

function share(value: unknown, name: string): number | string[] {
  if (Array.isArray(value) && value.every((type) => typeof type === 'string')) return value;
  if (typeof value === 'number') return numberFrom(0, 1)(value, name);
  bad(name, 'a share from 0 to 1 or a list of event types');
}

function loopbackOrigin(value: unknown, name: string): string {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url?.protocol !== 'http:' || !isLoopbackHost(url.host)) bad(name, 'an http address on loopback');
  return url.origin;
}

export const switchReaders: Readers<CreemSwitches> = {
  moderation: oneOf(FAULTS),
  api: orNull(apiFault),
  refunds: oneOf(REFUNDS),
  unknownStatus: flag,
  taxPercent: numberFrom(0, 30),
  siteUrl: orNull(loopbackOrigin),
  webhooks: flag,
  signatureForm: oneOf(SIGNATURES),
  retryScale: numberFrom(1, 1e6),
  duplicate: numberFrom(1, 20),
  reorder: numberFrom(0, 1000),
  delay: numberFrom(0, 60_000),
  lose: share,
  forge: flag,
  unknownEvent: flag,
  seed: numberFrom(0, 2 ** 32 - 1),
};
