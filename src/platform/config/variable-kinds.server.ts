import { z } from 'zod';
import { parseTrustedNetworks } from '../http/client-address.server.ts';
import { emailAddress } from '../mail/email-address.server.ts';
import { originPattern } from '../outbound/origin-pattern.ts';
import { parseModelPrices } from './model-prices.ts';

export const text = () => z.string().trim().min(1).optional();
export const number = () => z.coerce.number({ error: 'must be a number' });
export const port = () => number().int('must be a whole number').min(0).max(65535, 'must be 65535 or less');
export const count = (fallback: number) =>
  number().int('must be a whole number').min(1, 'must be 1 or more').default(fallback);
/** A name that every S3-compatible store accepts. */
export const bucket = () =>
  z
    .string()
    .trim()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be a bucket name');
export const flag = () =>
  z
    .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
    .transform((value) => value === 'true' || value === '1');

export const prices = () =>
  z
    .string()
    .trim()
    .transform((value, context) => {
      const parsed = parseModelPrices(value);
      if (parsed) return parsed;
      context.addIssue('must be MODEL=INPUT/OUTPUT or MODEL=PRICE in US dollars, separated by commas');
      return z.NEVER;
    });

/** A larger pack is a typing mistake. */
const MAX_PACK_CREDITS = 1_000_000;

/** A pack of credits, by its product at the payment provider. */
export interface PackDefinition {
  productId: string;
  credits: number;
}

export const packsFormat = 'must be PRODUCT=CREDITS, separated by commas, each product once';

export function parsePacks(text: string): PackDefinition[] | null {
  const entries = text.split(',').map((entry) => {
    const [, productId = '', credits = ''] = /^\s*([^=\s]+)\s*=\s*(\d{1,7})\s*$/.exec(entry) ?? [];
    return { productId, credits: Number(credits) };
  });
  const ids = new Set(entries.map(({ productId }) => productId));
  const isValid = entries.every(({ credits }) => credits >= 1 && credits <= MAX_PACK_CREDITS);
  return isValid && ids.size === entries.length && !ids.has('') ? entries : null;
}

export const packs = () =>
  z
    .string()
    .trim()
    .transform((value, context) => {
      const parsed = parsePacks(value);
      if (parsed) return parsed;
      context.addIssue(packsFormat);
      return z.NEVER;
    });

const parseUrl = (value: string) => URL.parse(value);
export const url = () =>
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .refine(
      (value) => !parseUrl(value)?.username && !parseUrl(value)?.password,
      'must not contain a username or password',
    );
/** Scheme, host and port only: pages and cookies are at the root of the host. */
export const origin = () =>
  url().refine((value) => {
    const { pathname = '/', search = '', hash = '' } = parseUrl(value) ?? {};
    return pathname === '/' && search === '' && hash === '';
  }, 'must be an address without a path, such as https://example.com');

/** Requires https, except on this machine. */
const isOriginPattern = (text: string) =>
  /^https:|^http:\/\/(localhost|127\.\d)/.test(text) && originPattern(text) !== null;

export const originPatterns = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((value, context) => {
      const parts = value.split(',').flatMap((part) => part.trim().replace(/\/$/, '') || []);
      if (parts.every(isOriginPattern)) return parts;
      context.addIssue(
        'must be https addresses without a path, separated by commas; *. matches every host below a name',
      );
      return z.NEVER;
    });

const headerSafe = /^[\x20-\x7e]*$/;

/** As OpenTelemetry specifies (W3C Baggage): NAME=VALUE separated by commas, values percent-encoded. */
function readKeyValues(value: string): Record<string, string> | null {
  try {
    const pairs = value.split(',').filter((part) => part.trim() !== '');
    const decoded = pairs.map((part) => {
      const [, name = '', encoded = ''] = /^\s*([\w.-]+)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
      return [name, decodeURIComponent(encoded)] as const;
    });
    return decoded.every(([name, text]) => name !== '' && headerSafe.test(text))
      ? Object.fromEntries(decoded)
      : null;
  } catch {
    return null;
  }
}

export const keyValues = () =>
  z.string().transform((value, context) => {
    const parsed = readKeyValues(value);
    if (parsed) return parsed;
    context.addIssue('must be NAME=VALUE, separated by commas, with values percent-encoded');
    return z.NEVER;
  });

export function isNetworkList(value: string): boolean {
  try {
    parseTrustedNetworks(value);
    return true;
  } catch {
    return false;
  }
}

/** Normalized as in accounts. */
export const addresses = () =>
  z
    .string()
    .default('')
    .transform((value, context) => {
      const parts = value.split(',').flatMap((part) => part.trim() || []);
      const parsed = parts.flatMap((part) => emailAddress(part) ?? []);
      if (parsed.length === parts.length) return parsed;
      context.addIssue('must be email addresses, separated by commas');
      return z.NEVER;
    });
