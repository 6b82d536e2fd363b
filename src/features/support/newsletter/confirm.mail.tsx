import { letter } from '../../../platform/mail/letter.tsx';
import { confirmDays } from './contract.ts';

export interface ConfirmMailFacts {
  brand: string;
  /** Host of the site. */
  host: string;
  email: string;
  /** When it was asked for, in words. */
  asked: string;
  link: string;
}

/** The mail that asks whether the newsletter is wanted; it says nothing else, for it may be wanted by nobody. */
export function confirmMail({ brand, host, email, asked, link }: ConfirmMailFacts) {
  return letter({
    title: `Confirm the ${brand} newsletter`,
    opening: `Somebody, probably you, asked on ${host} to get the newsletter at this address.`,
    facts: [
      ['Address', email],
      ['Asked for on', asked],
    ],
    paragraphs: ['Nothing is sent until you confirm: open the link and press the button there.'],
    button: { label: 'Confirm', link },
    fine: `The link works once, for ${confirmDays} days. If it was not you, do nothing: the address is then deleted.`,
  });
}
