import { userInfo } from 'node:os';
import process from 'node:process';
import {
  isAction,
  listQueue,
  ModerationError,
  moderate,
  showQueued,
} from '../../features/prompts/moderation/service.server.ts';
import { setConfig, settleConfig } from '../../platform/config/config.server.ts';
import { readEnvironment } from '../../platform/config/env.server.ts';
import { log } from '../../platform/log/log.server.ts';
import { openData, prepareData } from '../data.server.ts';

const help = `npm run prompts                          what waits for a decision
npm run prompts -- list [LIST]           LIST: pending (default), reported, approved, rejected, withdrawn
npm run prompts -- show ID               one prompt, and what was reported of it
npm run prompts -- approve ID@REV        shows it to everybody
npm run prompts -- reject ID@REV REASON  its writer is told the reason
npm run prompts -- unpublish ID@REV REASON
npm run prompts -- keep ID@REV           closes the reports of a prompt that may stay
ID is an id (to show one, its beginning will do), REV the version that you have read. Every decision is noted.`;

/** For a terminal: nothing that a person typed may steer it. */
const say = (text: string) =>
  process.stdout.write(
    `${text.replace(/[[\p{Cc}\p{Cf}]--\n]/gv, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)}\n`,
  );

const day = (date: Date | null) => date?.toISOString().slice(0, 16).replace('T', ' ') ?? '';

async function list(name = 'pending'): Promise<void> {
  const names = ['pending', 'reported', 'approved', 'rejected', 'withdrawn'] as const;
  const known = names.find((each) => each === name);
  if (!known) throw new ModerationError(`There is no list "${name}".`);
  const rows = await listQueue(known);
  say(`${rows.length} ${known}`);
  for (const { id, revision, category, title, submitted_at, reports } of rows) {
    const noted = reports > 0 ? `  ${reports} reported` : '';
    say(`${id}@${revision}  ${day(submitted_at)}  ${category.padEnd(11)}  ${title}${noted}`);
  }
}

async function show(id = ''): Promise<void> {
  const { prompt, reports } = await showQueued(id);
  say(`${prompt.id}@${prompt.revision}  ${prompt.state}  ${prompt.category}  by ${prompt.user_id}`);
  if (prompt.slug) say(`/tools/prompts/${prompt.slug}`);
  if (prompt.reason) say(`Reason: ${prompt.reason}`);
  say(`\n${prompt.title}\n${prompt.description}\n\n${prompt.content}`);
  for (const { reason, created_at } of reports)
    say(`\nReported ${day(created_at)}: ${reason || '(no words)'}`);
}

async function decide(action: string, target = '', words: string[]): Promise<void> {
  if (!isAction(action)) throw new ModerationError(help);
  const [id = '', revision = ''] = target.split('@');
  if (!/^\d{1,9}$/.test(revision)) throw new ModerationError('Name the version that you have read: ID@REV.');
  const { username: operator } = userInfo();
  const reason = words.join(' ');
  const prompt = await moderate({ id, revision: Number(revision), action, reason, operator });
  say(`${prompt.id}@${prompt.revision} is ${prompt.state}.`);
  if (prompt.state === 'approved') say(`/tools/prompts/${prompt.slug}`);
}

/** `npm run prompts`: the operator's queue of submitted and reported prompts. Attaches to a running database. */
async function main([command = 'list', target, ...words]: string[]): Promise<void> {
  if (['help', '--help', '-h'].includes(command)) return void say(help);
  log.level = 'error';
  const config = setConfig(settleConfig(readEnvironment()));
  const data = await openData(config, 'command');
  try {
    await prepareData(config);
    if (command === 'list') await list(target);
    else if (command === 'show') await show(target);
    else await decide(command, target, words);
  } catch (error) {
    if (!(error instanceof ModerationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } finally {
    await data.stop();
  }
}

await main(process.argv.slice(2));
