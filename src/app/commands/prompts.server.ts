import { userInfo } from 'node:os';
import process from 'node:process';
import {
  isAction,
  listQueue,
  ModerationError,
  moderate,
  showQueued,
} from '#features/prompts/service.server.ts';
import { database } from '#platform/database/database.server.ts';
import { reportCommandError, runCommand } from './run-command.server.ts';
import { formatMinute, printLine } from './terminal-output.server.ts';

const help = `npm run prompts                          prompts waiting for review
npm run prompts -- list [LIST]           LIST: pending (default), reported, approved, rejected, withdrawn
npm run prompts -- show ID               one prompt and its reports
npm run prompts -- approve ID@REV        publishes it
npm run prompts -- reject ID@REV REASON  rejects it; its author sees the reason
npm run prompts -- unpublish ID@REV REASON
npm run prompts -- keep ID@REV           keeps it published and closes its reports
ID is the prompt's ID (for show, its first characters are enough). REV is the version you read. Every decision is logged.`;

async function list(name = 'pending'): Promise<void> {
  const names = ['pending', 'reported', 'approved', 'rejected', 'withdrawn'] as const;
  const known = names.find((each) => each === name);
  if (!known) throw new ModerationError(`There is no list "${name}". Use ${names.join(', ')}.`);
  const rows = await listQueue(known);
  printLine(`${rows.length} ${known}`);
  for (const { id, revision, category, title, submitted_at, reports } of rows) {
    const reportNote = reports > 0 ? `  ${reports} reported` : '';
    printLine(
      `${id}@${revision}  ${formatMinute(submitted_at)}  ${category.padEnd(11)}  ${title}${reportNote}`,
    );
  }
}

async function show(id = ''): Promise<void> {
  const { prompt, reports } = await showQueued(id);
  printLine(`${prompt.id}@${prompt.revision}  ${prompt.state}  ${prompt.category}  by ${prompt.user_id}`);
  if (prompt.slug) printLine(`/tools/prompts/${prompt.slug}`);
  if (prompt.reason) printLine(`Reason: ${prompt.reason}`);
  printLine(`\n${prompt.title}\n${prompt.description}\n\n${prompt.content}`);
  for (const { reason, created_at } of reports)
    printLine(`\nReported ${formatMinute(created_at)}: ${reason || '(no comment)'}`);
}

async function decide(action: string, target = '', words: string[]): Promise<void> {
  if (!isAction(action)) throw new ModerationError(help);
  const [id = '', revision = ''] = target.split('@');
  if (!/^\d{1,9}$/.test(revision)) throw new ModerationError('Add the version you read: ID@REV.');
  const { username: operator } = userInfo();
  const reason = words.join(' ');
  const prompt = await moderate(database(), {
    id,
    revision: Number(revision),
    action,
    reason,
    operator,
  });
  printLine(`${prompt.id}@${prompt.revision} is ${prompt.state}.`);
  if (prompt.state === 'approved') printLine(`/tools/prompts/${prompt.slug}`);
}

async function main([command = 'list', target, ...words]: string[]): Promise<void> {
  if (['help', '--help', '-h'].includes(command)) return void printLine(help);
  await runCommand(async () => {
    if (command === 'list') await list(target);
    else if (command === 'show') await show(target);
    else await decide(command, target, words);
  });
}

await reportCommandError(main(process.argv.slice(2)), ModerationError);
