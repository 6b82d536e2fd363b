import { claims, promotion, useCaseClaims } from '#content/site.ts';
import { hasOperatorAddresses } from '#shared/operator-addresses.ts';
import { spoken } from '#shared/operator-words.ts';
import { setting } from '#shared/settings.ts';

/** The sandbox shows samples on purpose. */
export function configWarnings(): string[] {
  const samples = [
    ...[...claims, ...useCaseClaims]
      .filter((claim) => claim.sample)
      .map((claim) => `${spoken(claim.value)} ${spoken(claim.label)}`),
    ...(promotion?.sample ? [spoken(promotion.text)] : []),
  ];
  return [
    ...(samples.length > 0
      ? [`Not shown until content/site.ts holds your own figures and offers: ${samples.join('; ')}.`]
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
