import { letter } from '../../../platform/mail/letter.tsx';

export interface SubscribedMailFacts {
  brand: string;
  email: string;
  /** Since when, in words. */
  since: string;
  blog: string;
  leaveLink: string;
  /** It was asked for by somebody who has it already. */
  again: boolean;
}

/** The mail after a confirmation, or in place of a second one. */
export function subscribedMail({ brand, email, since, blog, leaveLink, again }: SubscribedMailFacts) {
  return letter({
    title: again ? `You have the ${brand} newsletter already` : `You get the ${brand} newsletter`,
    opening: again
      ? 'Somebody, probably you, asked for it once more. There is nothing to do: you are subscribed.'
      : 'Thank you for confirming. The next issue comes to this address.',
    facts: [
      ['Address', email],
      ['Since', since],
    ],
    paragraphs: ['What was written before is in the blog.'],
    button: { label: 'Open the blog', link: blog },
    fine: `Unsubscribe whenever you like, with one press of a button: ${leaveLink}`,
  });
}
