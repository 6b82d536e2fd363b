import cookies from '#content/legal/cookies.md?raw';
import privacy from '#content/legal/privacy.md?raw';
import terms from '#content/legal/terms.md?raw';
import { graceHours } from '#features/billing/contract.ts';
import { moneyBackDays, seller, welcomeCredits } from '#features/credits/contract.ts';
import { config } from '#platform/config/config.server.ts';
import { setting } from '#shared/settings.ts';
import { type LegalDocument, readLegalDocument } from './parse-legal-document.server.ts';

const sources = { cookies, privacy, terms };

export interface LegalPageData {
  path: string;
  publicUrl: string;
  document: LegalDocument;
}

const siteFacts = () => ({
  name: setting('brand.name'),
  supportEmail: setting('contact.email'),
  welcomeCredits: String(welcomeCredits()),
  paymentProvider: seller,
  graceHours: String(graceHours),
  moneyBackDays: String(moneyBackDays),
});

/** Returns the last update (ISO date) of each legal page by its path. */
export const legalDates = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sources).map(([name, source]) => [
      `/${name}`,
      readLegalDocument(source, siteFacts()).updated,
    ]),
  );

export function legalPage(name: keyof typeof sources): LegalPageData {
  return {
    path: `/${name}`,
    publicUrl: config().publicUrl,
    document: readLegalDocument(sources[name], siteFacts()),
  };
}
