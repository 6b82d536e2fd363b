import { flag, numberFrom, oneOf, orNull, type Readers, refuse, shortText } from '../control.ts';
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

export interface CreemSwitches {
  moderation: (typeof MODERATION)[number];
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

export const switchReaders: Readers<CreemSwitches> = {
  moderation: oneOf(MODERATION),
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
  lose: shareOrTypes,
  forge: flag,
  unknownEvent: flag,
  seed: numberFrom(0, 2 ** 32 - 1),
};
