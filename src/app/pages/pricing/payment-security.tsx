import { seller } from '#features/credits/contract.ts';
import { m } from '#messages';

export function PaymentSecurity() {
  const notes = [
    [m.pricing_security_card(), m.pricing_security_card_text({ seller })],
    [m.pricing_security_plan(), m.pricing_security_plan_text({ seller })],
    [m.pricing_security_account(), m.pricing_security_account_text()],
  ];
  return (
    <section className="pt-24 max-md:pt-16" id="security" aria-labelledby="security-title">
      <h2 className="h2 mb-6" id="security-title">
        {m.pricing_security()}
      </h2>
      <dl className="grid grid-cols-3 max-md:grid-cols-1 gap-6 border-t border-line pt-4">
        {notes.map(([name, text]) => (
          <div key={name}>
            <dt className="font-semibold">{name}</dt>
            <dd className="text-sm text-fg-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
