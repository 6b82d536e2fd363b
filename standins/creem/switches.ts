import {
  flag,
  numberFrom,
  oneOf,
  orNull,
  refuse,
  type SwitchValues,
  shortText,
  startingAs,
} from '../control.ts';
import { isLoopbackHost, isRecord } from '../http.ts';
import { FAULTS } from './api-errors.ts';

const API_FAULTS = [...FAULTS, 'lost'] as const;
const MODERATION = ['ok', ...FAULTS, 'odd'] as const;
const REFUNDS = ['succeeded', 'pending', 'failed'] as const;
const SIGNATURES = ['creem', 'standard'] as const;

export interface ApiFault {
  fault: (typeof API_FAULTS)[number];
  path: string;
  times: number;
}

function apiFault(value: unknown, name: string): ApiFault {
  if (!isRecord(value)) return { fault: oneOf(API_FAULTS)(value, name), path: '/', times: Infinity };
  const { fault, path = '/', times, ...others } = value;
  if (Object.keys(others).length > 0) refuse(name, 'made of fault, path, times');
  return {
    fault: oneOf(API_FAULTS)(fault, `${name}.fault`),
    path: shortText(path, `${name}.path`),
    times: times === undefined ? Infinity : numberFrom(1, 1e6)(times, `${name}.times`),
  };
}

function shareOrTypes(value: unknown, name: string): number | string[] {
  if (Array.isArray(value) && value.every((type) => typeof type === 'string')) return value;
  return typeof value === 'number'
    ? numberFrom(0, 1)(value, name)
    : refuse(name, 'a share from 0 to 1 or a list of event types');
}

function loopbackOrigin(value: unknown, name: string): string {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url?.protocol !== 'http:' || !isLoopbackHost(url.host)) refuse(name, 'an http address on loopback');
  return url.origin;
}

export const creemSwitches = {
  moderation: startingAs('ok', oneOf(MODERATION)),
  api: startingAs(null, orNull(apiFault)),
  refunds: startingAs('succeeded', oneOf(REFUNDS)),
  unknownStatus: startingAs(false, flag),
  taxPercent: startingAs(0, numberFrom(0, 30)),
  siteUrl: startingAs(null, orNull(loopbackOrigin)),
  webhooks: startingAs(true, flag),
  signatureForm: startingAs('creem', oneOf(SIGNATURES)),
  retryScale: startingAs(30, numberFrom(1, 1e6)),
  duplicate: startingAs(1, numberFrom(1, 20)),
  reorder: startingAs(0, numberFrom(0, 1000)),
  delay: startingAs(0, numberFrom(0, 60_000)),
  lose: startingAs(0, shareOrTypes),
  forge: startingAs(false, flag),
  unknownEvent: startingAs(false, flag),
  seed: startingAs(1, numberFrom(0, 2 ** 32 - 1)),
};

export type CreemSwitches = SwitchValues<typeof creemSwitches>;
