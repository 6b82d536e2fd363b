/** Proof of consent: a new wording gets a new number, old ones stay. The newest is `newsletter_consent` in English. */
export const consentWordings: Readonly<Record<number, string>> = {
  1: 'New articles and what changed in the tools, by email, when there is something to say. We first send a link to confirm, and every mail has a link to unsubscribe.',
  2: 'New articles and product updates by email, now and then. We send you a link to confirm first, and you can unsubscribe in every email.',
};

export const consentVersion = 2;
