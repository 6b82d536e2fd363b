import { hasOperatorAddresses } from '#shared/operator-addresses.ts';
import { spoken } from '#shared/operator-words.ts';
import { setting } from '#shared/settings.ts';
import { claimsOfUseCases, homeClaims } from '../pages/parts/shown-claims.server.ts';
import { presentPromotion, runningPromotion } from '../shell/current-sale.server.ts';

/** The sandbox shows samples on purpose. */
export function configWarnings(): string[] {
  const promotion = presentPromotion();
  const samples = [
    ...[...homeClaims(), ...claimsOfUseCases()]
      .filter((claim) => claim.sample)
      .map((claim) => `${spoken(claim.value)} ${spoken(claim.label)}`),
    ...(promotion?.sample ? [spoken(promotion.text)] : []),
  ];
  return [
    ...(samples.length > 0
      ? [
          `Samples that people do not see: ${samples.join('; ')}. npm run settings sets your own: claims.home, claims.useCases, promotion.`,
        ]
      : []),
    ...(promotion && !promotion.sample && !runningPromotion(promotion, { now: new Date(), sandbox: false })
      ? [
          `The promotion "${spoken(promotion.text)}" is not shown: it is over, or it lowers no price. npm run settings sets promotion.`,
        ]
      : []),
    ...(hasOperatorAddresses()
      ? []
      : [
          'The support or postal address is still an example; legal pages show both, and the newsletter is not sent. npm run settings sets contact.email and contact.address.',
        ]),
    ...(/gpt|claude|gemini|llama/i.test(setting('brand.name'))
      ? [
          `The name ${setting('brand.name')} holds the name of a model; a payment provider may refuse it. npm run settings sets brand.name.`,
        ]
      : []),
  ];
}
