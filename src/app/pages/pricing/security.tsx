import { seller } from '../../../features/credits/contract.ts';

const notes: ReadonlyArray<[name: string, text: string]> = [
  [
    'Card',
    `You type it on a page of ${seller}. It never reaches this site, and card data is never stored here.`,
  ],
  [
    'Plan',
    `A plan changes only on ${seller}’s own word, signed or asked for by us. What an address in a browser says changes nothing.`,
  ],
  ['Account', 'A checkout is made for the account that you are signed in to, and pays for no other.'],
];

/** How payments are kept safe. */
export function Security() {
  return (
    <section className="page-section page-columns" id="security" aria-labelledby="security-title">
      <h2 className="h2" id="security-title">
        Security
      </h2>
      <dl className="fact-list">
        {notes.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
