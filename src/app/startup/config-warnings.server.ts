import { site } from '#content/site.ts';
import { hasOperatorAddresses } from '#shared/operator-addresses.ts';

/** The sandbox shows samples on purpose. */
export function configWarnings(): string[] {
  const samples = [
    ...[...site.claims, ...site.useCaseClaims]
      .filter((claim) => claim.sample)
      .map((claim) => `${claim.value} ${claim.label}`),
    ...(site.promotion?.sample ? [site.promotion.text] : []),
  ];
  return [
    ...(samples.length > 0
      ? [`Not shown until content/site.ts holds your own figures and offers: ${samples.join('; ')}.`]
      : []),
    ...(hasOperatorAddresses()
      ? []
      : [
          'The support or postal address in content/site.ts is still an example; the pages of law show both, and the newsletter is not sent.',
        ]),
    ...(/gpt|claude|gemini|llama/i.test(site.name)
      ? [
          `The name ${site.name} holds the name of a model; a payment provider may refuse it (content/site.ts).`,
        ]
      : []),
  ];
}
