/** Fixed by the specification, whatever the brand. */
export const consentKey = 'gpt5ai-cookie-consent';

/** Increment it when the categories change their meaning; then everybody is asked again. */
export const consentVersion = 1;

/** Storage keys of a category start with its name and a colon. */
export const optionalCategories = ['functional', 'analytics'] as const;
export type OptionalCategory = (typeof optionalCategories)[number];

export interface Consent extends Record<OptionalCategory, boolean> {
  essential: true;
  timestamp: string;
  version: number;
}

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

export function readConsent(stored: string | null, now = Date.now()): Consent | null {
  try {
    const value = JSON.parse(stored ?? '') as Partial<Consent> | null;
    // A timestamp in the future comes from a wrong clock, and would never expire otherwise.
    const isFresh = Math.abs(now - Date.parse(value?.timestamp ?? '')) < YEAR_MS;
    if (!value || !isFresh || value.version !== consentVersion) return null;
    const { functional, analytics, timestamp, version } = value;
    return {
      essential: true,
      functional: functional === true,
      analytics: analytics === true,
      timestamp: timestamp as string,
      version,
    };
  } catch {
    return null;
  }
}
