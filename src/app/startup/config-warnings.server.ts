import { hasOperatorAddresses } from '#shared/operator-addresses.ts';
import { localizedWords } from '#shared/operator-words.ts';
import { setting } from '#shared/settings.ts';
import { claimsOfUseCases, homeClaims } from '../pages/parts/shown-claims.server.ts';
import { currentPromotion, runningPromotion } from '../shell/current-sale.server.ts';

/** Returns warnings about a public site's settings. Not for a sandbox, which shows samples on purpose. */
export function configWarnings(): string[] {
  const promotion = currentPromotion();
  const samples = [
    ...[...homeClaims(), ...claimsOfUseCases()]
      .filter((claim) => claim.sample)
      .map((claim) => `${localizedWords(claim.value)} ${localizedWords(claim.label)}`),
    ...(promotion?.sample ? [localizedWords(promotion.text)] : []),
  ];
  return [
    ...(samples.length > 0
      ? [
          `These samples are hidden from visitors: ${samples.join('; ')}. To add your own, set claims.home, claims.useCases and promotion with npm run settings.`,
        ]
      : []),
    ...(promotion && !promotion.sample && !runningPromotion(promotion, { now: new Date(), sandbox: false })
      ? [
          `The promotion "${localizedWords(promotion.text)}" is not shown because it is over or does not lower a price. To change it, set promotion with npm run settings.`,
        ]
      : []),
    ...(hasOperatorAddresses()
      ? []
      : [
          'The support or postal address is still a placeholder. Legal pages show both, and the newsletter is not sent until you set contact.email and contact.address with npm run settings.',
        ]),
    ...(/gpt|claude|gemini|llama/i.test(setting('brand.name'))
      ? [
          `The name ${setting('brand.name')} contains the name of a model, which a payment provider may reject. To change it, set brand.name with npm run settings.`,
        ]
      : []),
  ];
}
