import { type ContactKind, contactKinds } from './contact-contract.ts';

interface MessageMailFacts {
  reference: string;
  kind: ContactKind;
  name: string;
  email: string;
  message: string;
  created_at: Date;
  user_id: string | null;
  account_email: string | null;
}

function account({ email, user_id, account_email }: MessageMailFacts): string {
  if (user_id === null) return 'not signed in: the address is not proven';
  const whose = account_email === email ? 'that address' : (account_email ?? 'an erased account');
  return `signed in as ${whose} (${user_id})`;
}

/** Plain text alone, so that nothing in a stranger's message is more than words. */
export function supportMail(told: MessageMailFacts, brand: string): { subject: string; text: string } {
  const { reference, kind, name, email, message, created_at } = told;
  const lines = [
    `Reference: ${reference}`,
    `About: ${contactKinds[kind]()}`,
    `Name: ${name || '(none)'}`,
    `Address: ${email}`,
    `Account: ${account(told)}`,
    `Received: ${created_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  ];
  return {
    subject: `[${reference}] ${contactKinds[kind]()}`,
    text: [
      lines.join('\n'),
      message,
      `-- \nSent by the form of ${brand}. An answer to this mail goes to the address above.\nOnce it is seen to: npm run contact -- done ${reference}\n`,
    ].join('\n\n'),
  };
}
