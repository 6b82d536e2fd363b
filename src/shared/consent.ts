/** The specification fixes the name, whatever the brand. */
export const consentKey = 'gpt5ai-cookie-consent';

/** Raised when the categories change their meaning: everybody is asked again. */
export const consentVersion = 1;

/** What a category stores in the browser has a key that begins with its name and a colon. */
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
    // A date that lies ahead comes from a clock that was wrong, and would otherwise never run out.
    const fresh = Math.abs(now - Date.parse(value?.timestamp ?? '')) < YEAR_MS;
    if (!value || !fresh || value.version !== consentVersion) return null;
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
