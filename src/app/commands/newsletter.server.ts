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

const help = `npm run newsletter                       subscriber count, and the status of each issue
npm run newsletter -- count              subscriber count
npm run -s newsletter -- export          all subscribers, as CSV
npm run newsletter -- remove ADDRESS     unsubscribes an address, for people who asked by email
npm run newsletter -- forget ADDRESS     also erases the hashes kept after someone leaves
npm run newsletter -- send FILE.md --subject "..."
                                         dry run: shows the email and how many would get it
  --test ADDRESS                         sends it only to this address
  --really                               sends it to all subscribers, once, even if you run it again
The running server sends the emails within a minute. See docs/newsletter.md.`;

const options = {
  subject: { type: 'string' },
  test: { type: 'string' },
  really: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Options = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

const formatPeople = (count: number) => `${count} ${count === 1 ? 'person' : 'people'}`;

async function count(): Promise<void> {
  const { subscribers, requests, left } = await newsletterCounts();
  printLine(`${formatPeople(subscribers)} subscribed, ${requests} not confirmed yet, ${left} unsubscribed.`);
}

async function list(): Promise<void> {
  await count();
  for (const { subject, released_at, sent, waiting, taken, failed } of await listIssues()) {
    const when = released_at ? formatMinute(released_at) : 'not sent yet    ';
    printLine(`${when}  ${sent} sent, ${waiting} waiting, ${taken} unknown, ${failed} rejected  ${subject}`);
  }
}

async function* subscriberCsv(): AsyncGenerator<string> {
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
  printLine('Unsubscribed the address and removed it from the list.');
}

async function forget(address: string): Promise<void> {
  if (!(await forgetAddress(address))) throw new IssueError(`"${address}" is not a valid email address.`);
  printLine('Erased the address: the newsletter keeps nothing about it.');
}

function readIssue(file: string, { subject = '' }: Options): Issue {
  try {
    const body = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
    return { subject, body };
  } catch {
    throw new IssueError(`Can't read "${file}" as text.`);
  }
}

async function send(file: string, flags: Options): Promise<void> {
  if (flags.test !== undefined && flags.really)
    throw new IssueError('Use either --test or --really, not both.');
  const issue = readIssue(file, flags);
  const { subject, text, subscribers, before } = await previewIssue(issue);
  if (flags.test !== undefined) {
    const address = flags.test;
    await transaction((tx) => sendTestIssue(tx, issue, address));
    printLine(`Queued "${subject}" for ${flags.test}. The running server sends it within a minute.`);
    return;
  }
  if (flags.really) {
    const mails = await transaction((tx) => sendIssue(tx, issue));
    if (mails !== null) {
      printLine(`Queued "${subject}" for ${formatPeople(mails)}. The running server sends it.`);
      return;
    }
  } else printLine(`${text}\n`);
  if (before?.released_at || flags.really)
    printLine(
      `Nothing was sent: this issue was already sent${before?.released_at ? ` on ${formatMinute(before.released_at)}` : ''}.`,
    );
  else
    printLine(
      `Dry run: nothing was sent. Add --really to send it to ${formatPeople(subscribers)}, or --test ADDRESS to send it to one address.`,
    );
}

const commands: Record<string, (argument: string, flags: Options) => Promise<void>> = {
  list,
  count,
  export: () => printLines(subscriberCsv()),
  remove,
  forget,
  send,
};

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [name = 'list', argument = ''] = positionals;
  if (values.help || name === 'help') return void printLine(help);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new IssueError(help);
  await runCommand(() => command(argument, values));
}

await reportCommandError(main(process.argv.slice(2)), IssueError);
