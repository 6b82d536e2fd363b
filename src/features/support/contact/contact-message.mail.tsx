import { contactKinds } from './contact-contract.ts';
import type { DueMail } from './message-store.server.ts';

function account({ email, user_id, account_email }: DueMail): string {
  if (user_id === null) return 'not signed in: the address is not proven';
  const owner = account_email === email ? 'that address' : (account_email ?? 'an erased account');
  return `signed in as ${owner} (${user_id})`;
}

/** Plain text only, so that a stranger's message cannot contain markup. */
export function supportMail(mail: DueMail, brand: string): { subject: string; text: string } {
  const { reference, kind, name, email, message, created_at } = mail;
  const lines = [
    `Reference: ${reference}`,
    `About: ${contactKinds[kind]()}`,
    `Name: ${name || '(none)'}`,
    `Address: ${email}`,
    `Account: ${account(mail)}`,
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
