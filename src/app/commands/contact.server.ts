import { userInfo } from 'node:os';
import process from 'node:process';
import { contactKinds } from '../../features/support/contact/contract.ts';
import {
  ContactError,
  closeMessage,
  listMessages,
  messagesCsv,
  showMessage,
} from '../../features/support/contact/operator/service.server.ts';
import { attached, plainly } from './attached.server.ts';
import { minute, print, say } from './terminal.server.ts';

const help = `npm run contact                     messages that nobody has seen to
npm run contact -- list [LIST]      LIST: open (default), done, all; the newest 100
npm run contact -- show REF         one message
npm run contact -- done REF         notes that it was seen to; 24 months later it is erased
npm run -s contact -- export        all of them, as CSV
REF is a reference such as C-7F3K-92QD.`;

/** The first words of a text on one line. */
const opening = (text: string) => [...text.replace(/\s+/g, ' ')].slice(0, 60).join('');

async function list(name = 'open'): Promise<void> {
  const { rows, count } = await listMessages(name);
  say(`${count} ${name}${rows.length < count ? `, the newest ${rows.length}` : ''}`);
  for (const { reference, created_at, kind, email, message, unsent } of rows) {
    const waits = unsent.length > 0 ? `  (not mailed: ${unsent.join(', ')})` : '';
    say(`${reference}  ${minute(created_at)}  ${kind.padEnd(8)}  ${email}  ${opening(message)}${waits}`);
  }
}

async function show(target = ''): Promise<void> {
  const row = await showMessage(target);
  say(`${row.reference}  ${minute(row.created_at)} UTC  ${contactKinds[row.kind]}`);
  say(`From: ${row.name ? `${row.name}, ` : ''}${row.email}`);
  say(
    row.user_id
      ? `Account: ${row.account_email ?? 'deleted'} (${row.user_id})`
      : 'Account: not signed in, the address is not proven',
  );
  if (row.unsent.length > 0) say(`Not mailed: ${row.unsent.join(', ')}`);
  if (row.done_at) say(`Seen to: ${minute(row.done_at)} UTC by ${row.done_by}`);
  say(`\n${row.message}`);
}

/** `npm run contact`: what people wrote to support. Attaches to a running database. */
async function main([command = 'list', target]: string[]): Promise<void> {
  if (['help', '--help', '-h'].includes(command)) return void say(help);
  await attached(async () => {
    if (command === 'list') await list(target);
    else if (command === 'show') await show(target);
    else if (command === 'export') await print(messagesCsv());
    else if (command === 'done') {
      const { reference, done_by } = await closeMessage(target ?? '', userInfo().username);
      say(`${reference} is seen to, by ${done_by}.`);
    } else throw new ContactError(help);
  });
}

await plainly(main(process.argv.slice(2)), (error) => error instanceof ContactError);
