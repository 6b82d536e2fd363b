import { letter } from '../../../../platform/mail/letter.tsx';

/**
 * The receipt of a message. The address is what somebody typed, perhaps not their own: so it repeats nothing of what
 * was written, not even the name.
 */
export function receiptMail(
  { reference, created_at }: { reference: string; created_at: Date },
  { brand, home, supportEmail }: { brand: string; home: string; supportEmail: string },
) {
  return letter({
    title: `Your message to ${brand}: ${reference}`,
    opening: 'Your message has arrived. A person reads it, and the answer comes to this address.',
    facts: [
      ['Reference', reference],
      ['Received', `${created_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`],
    ],
    paragraphs: [
      `To add something, answer this mail, or write to ${supportEmail} and name the reference. What you wrote is not repeated here.`,
    ],
    button: { label: `Open ${brand}`, link: home },
    fine: 'If you did not write to us, somebody typed your address by mistake. You need not do anything.',
  });
}
