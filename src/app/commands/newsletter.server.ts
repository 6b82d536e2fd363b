import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { forgetAddress } from '#features/support/privacy.server.ts';
import {
  everySubscriber,
  type Issue,
  IssueError,
  listIssues,
  newsletterCounts,
  previewIssue,
  sendIssue,
  sendTestIssue,
  unsubscribeByAddress,
} from '#features/support/service.server.ts';
import { transaction } from '#platform/database/database.server.ts';
import { csvLine } from '#shared/csv.ts';
import { reportCommandError, runCommand } from './run-command.server.ts';
import { formatMinute, printLine, printLines } from './terminal-output.server.ts';

const help = `npm run newsletter                       how many get it, and what became of the issues
npm run newsletter -- count              how many get it
npm run -s newsletter -- export          everybody who gets it, as a table (CSV)
npm run newsletter -- remove ADDRESS     unsubscribes an address, for who has asked by mail
npm run newsletter -- forget ADDRESS     erases the fingerprints too that stay of who has left
npm run newsletter -- send FILE.md --subject "..."
                                         shows what would be sent, to how many; sends nothing
  --test ADDRESS                         sends it to one address
  --really                               sends it to everybody, once, however often it is asked for
The running server sends: what is written here leaves within a minute. See docs/newsletter.md.`;

const options = {
  subject: { type: 'string' },
  test: { type: 'string' },
  really: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Options = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

const people = (count: number) => `${count} ${count === 1 ? 'person' : 'people'}`;

async function count(): Promise<void> {
  const { subscribers, requests, left } = await newsletterCounts();
  printLine(`${people(subscribers)} subscribed, ${requests} asked and not confirmed, ${left} left.`);
}

async function list(): Promise<void> {
  await count();
  for (const { subject, released_at, sent, waiting, taken, failed } of await listIssues()) {
    const when = released_at ? formatMinute(released_at) : 'not sent yet    ';
    printLine(`${when}  ${sent} sent, ${waiting} waiting, ${taken} in doubt, ${failed} refused  ${subject}`);
  }
}

async function* table(): AsyncGenerator<string> {
  yield csvLine(['address', 'confirmed', 'asked', 'page', 'wording', 'unsubscribe']);
  for await (const row of everySubscriber())
    yield csvLine([
      row.email,
      row.confirmed_at.toISOString(),
      row.asked_at.toISOString(),
      row.source,
      row.wording,
      row.leaveLink,
    ]);
}

async function remove(address: string): Promise<void> {
  if (!(await unsubscribeByAddress(address))) throw new IssueError(`"${address}" is not subscribed.`);
  printLine('The address is unsubscribed and deleted from the list.');
}

async function forget(address: string): Promise<void> {
  if (!(await forgetAddress(address))) throw new IssueError(`"${address}" is no address.`);
  printLine('The newsletter knows nothing of the address any more.');
}

function issueOf(file: string, { subject = '' }: Options): Issue {
  try {
    const body = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
    return { subject, body };
  } catch {
    throw new IssueError(`The file "${file}" cannot be read as text.`);
  }
}

async function send(file: string, given: Options): Promise<void> {
  if (given.test !== undefined && given.really) throw new IssueError('Choose --test or --really.');
  const issue = issueOf(file, given);
  const { subject, text, subscribers, before } = await previewIssue(issue);
  if (given.test !== undefined) {
    const address = given.test;
    await transaction((tx) => sendTestIssue(tx, issue, address));
    printLine(`"${subject}" leaves for ${given.test} within a minute.`);
    return;
  }
  if (given.really) {
    const mails = await transaction((tx) => sendIssue(tx, issue));
    if (mails !== null) {
      printLine(`"${subject}" leaves for ${people(mails)}, from the running server.`);
      return;
    }
  } else printLine(`${text}\n`);
  if (before?.released_at || given.really)
    printLine(
      `This text was sent before${before?.released_at ? `, on ${formatMinute(before.released_at)}` : ''}: nothing is sent again.`,
    );
  else
    printLine(
      `Nothing was sent. With --really it goes to ${people(subscribers)}, with --test ADDRESS to one.`,
    );
}

const commands: Record<string, (word: string, given: Options) => Promise<void>> = {
  list,
  count,
  export: () => printLines(table()),
  remove,
  forget,
  send,
};

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [name = 'list', word = ''] = positionals;
  if (values.help || name === 'help') return void printLine(help);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new IssueError(help);
  await runCommand(() => command(word, values));
}

await reportCommandError(main(process.argv.slice(2)), IssueError);
