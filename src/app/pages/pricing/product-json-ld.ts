import { type PlanDuration, priceTable, proPromise, seller } from '#features/credits/contract.ts';
import { decimalAmount } from '#shared/decimal-amount.ts';
import { setting } from '#shared/settings.ts';

export function productJsonLd(onSale: readonly PlanDuration[], publicUrl: string) {
  if (onSale.length === 0) return null;
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: `${setting('brand.name')} Pro`,
    description: proPromise(),
    // Search engines show no merchant listing without an image.
    image: `${publicUrl}/icon-512.png`,
    brand: { '@type': 'Brand', name: setting('brand.name') },
    offers: onSale.map((duration) => {
      const { priceCents, months, period } = priceTable[duration];
      const price = decimalAmount(priceCents);
      return {
        '@type': 'Offer',
        name: `Pro, ${period}`,
        url: `${publicUrl}/pricing`,
        price,
        priceCurrency: 'USD',
        availability: 'https://schema.org/InStock',
        seller: { '@type': 'Organization', name: seller },
        priceSpecification: {
          '@type': 'UnitPriceSpecification',
          price,
          priceCurrency: 'USD',
          billingDuration: months,
          unitCode: 'MON',
        },
      };
    }),
  };
}
