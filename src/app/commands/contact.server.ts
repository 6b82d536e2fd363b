import { userInfo } from 'node:os';
import process from 'node:process';
import { contactKinds } from '#features/support/contract.ts';
import {
  ContactCommandError,
  closeMessage,
  listMessages,
  messagesCsv,
  showMessage,
} from '#features/support/service.server.ts';
import { database } from '#platform/database/database.server.ts';
import { reportCommandError, runCommand } from './run-command.server.ts';
import { formatMinute, printLine, printLines } from './terminal-output.server.ts';

const help = `npm run contact                     open messages
npm run contact -- list [LIST]      the newest 100; LIST: open (default), done or all
npm run contact -- show REF         one message
npm run contact -- done REF         marks it done; it is erased 24 months later
npm run -s contact -- export        all messages, as CSV
REF is a reference, such as C-7F3K-92QD.`;

const excerpt = (text: string) => [...text.replace(/\s+/g, ' ')].slice(0, 60).join('');

async function list(name = 'open'): Promise<void> {
  const { rows, count } = await listMessages(name);
  printLine(`${count} ${name}${rows.length < count ? `, the newest ${rows.length}` : ''}`);
  for (const { reference, created_at, kind, email, message, unsent } of rows) {
    const unsentNote = unsent.length > 0 ? `  (email not sent: ${unsent.join(', ')})` : '';
    printLine(
      `${reference}  ${formatMinute(created_at)}  ${kind.padEnd(8)}  ${email}  ${excerpt(message)}${unsentNote}`,
    );
  }
}

async function show(target = ''): Promise<void> {
  const row = await showMessage(target);
  printLine(`${row.reference}  ${formatMinute(row.created_at)} UTC  ${contactKinds[row.kind]()}`);
  printLine(`From: ${row.name ? `${row.name}, ` : ''}${row.email}`);
  printLine(
    row.user_id
      ? `Account: ${row.account_email ?? 'deleted'} (${row.user_id})`
      : 'Account: not signed in; the email address is unverified',
  );
  if (row.unsent.length > 0) printLine(`Email not sent: ${row.unsent.join(', ')}`);
  if (row.done_at) printLine(`Done: ${formatMinute(row.done_at)} UTC by ${row.done_by}`);
  printLine(`\n${row.message}`);
}

async function main([command = 'list', target]: string[]): Promise<void> {
  if (['help', '--help', '-h'].includes(command)) return void printLine(help);
  await runCommand(async () => {
    if (command === 'list') await list(target);
    else if (command === 'show') await show(target);
    else if (command === 'export') await printLines(messagesCsv());
    else if (command === 'done') {
      const { reference, done_by } = await closeMessage(database(), target ?? '', userInfo().username);
      printLine(`Marked ${reference} as done, by ${done_by}.`);
    } else throw new ContactCommandError(help);
  });
}

await reportCommandError(main(process.argv.slice(2)), ContactCommandError);
