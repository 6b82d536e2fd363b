import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import {
  type Issue,
  IssueError,
  listIssues,
  previewIssue,
  sendIssue,
  tryIssue,
} from '../../features/support/newsletter/issues/service.server.ts';
import { forgetAddress } from '../../features/support/newsletter/person/service.server.ts';
import {
  everySubscriber,
  leaveByAddress,
  newsletterCounts,
} from '../../features/support/newsletter/service.server.ts';
import { csvLine } from '../../shared/csv.ts';
import { attached, plainly } from './attached.server.ts';
import { minute, print, say } from './terminal.server.ts';

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
  say(`${people(subscribers)} subscribed, ${requests} asked and not confirmed, ${left} left.`);
}

async function list(): Promise<void> {
  await count();
  for (const { subject, released_at, sent, waiting, taken, failed } of await listIssues()) {
    const when = released_at ? minute(released_at) : 'not sent yet    ';
    say(`${when}  ${sent} sent, ${waiting} waiting, ${taken} in doubt, ${failed} refused  ${subject}`);
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
  if (!(await leaveByAddress(address))) throw new IssueError(`"${address}" is not subscribed.`);
  say('The address is unsubscribed and deleted from the list.');
}

async function forget(address: string): Promise<void> {
  if (!(await forgetAddress(address))) throw new IssueError(`"${address}" is no address.`);
  say('The newsletter knows nothing of the address any more.');
}

/** @throws IssueError for a file that cannot be read as text. */
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
    await tryIssue(issue, given.test);
    say(`"${subject}" leaves for ${given.test} within a minute.`);
    return;
  }
  if (given.really) {
    const mails = await sendIssue(issue);
    if (mails !== null) {
      say(`"${subject}" leaves for ${people(mails)}, from the running server.`);
      return;
    }
  } else say(`${text}\n`);
  if (before?.released_at || given.really)
    say(
      `This text was sent before${before?.released_at ? `, on ${minute(before.released_at)}` : ''}: nothing is sent again.`,
    );
  else say(`Nothing was sent. With --really it goes to ${people(subscribers)}, with --test ADDRESS to one.`);
}

const commands: Record<string, (word: string, given: Options) => Promise<void>> = {
  list,
  count,
  export: () => print(table()),
  remove,
  forget,
  send,
};

/** An option that there is not, or one without its value. */
const isMisspelt = (error: unknown) => String((error as { code?: string }).code).startsWith('ERR_PARSE_ARGS');

/** `npm run newsletter`: who gets the newsletter, and the issues that are sent to them. */
async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [name = 'list', word = ''] = positionals;
  if (values.help || name === 'help') return void say(help);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new IssueError(help);
  await attached(() => command(word, values));
}

await plainly(main(process.argv.slice(2)), (error) => error instanceof IssueError || isMisspelt(error));
