import { userInfo } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import {
  addCredits,
  addPlanGrant,
  history,
  OperatorError,
  overview,
  type ReplaySelection,
  reconcile,
  refund,
  replayEvents,
  revokePlan,
} from '#features/billing/service.server.ts';
import { formatCredits } from '#features/credits/contract.ts';
import { reportCommandError, runCommand } from './run-command.server.ts';
import { formatMinute, printLine } from './terminal-output.server.ts';

const help = `npm run billing                              subscription counts, and everything that needs attention
npm run billing -- show USER                 a person's plan and its history
npm run billing -- grant USER CREDITS        adds credits, once per person, amount and reason
npm run billing -- plan USER pro|business --until DATE|never
npm run billing -- revoke USER               ends a plan granted with "plan"; paid plans stay
npm run billing -- refund PAYMENT            refunds a payment in full through the provider; if it is the
                                             latest payment, its plan ends
npm run billing -- replay EVENT|--failed|--since DATE
                                             replays stored provider events
npm run billing -- reconcile [USER]          checks with the provider and fixes what its events missed
USER is an ID or an email address. DATE is a day (2026-12-31, inclusive) or a time (2026-12-31T12:00Z).
grant, plan, revoke and refund need --reason "...". Every action is logged with your system username. Reasons are kept
with the account and shown in the person's own data, so don't name anyone in them.`;

const options = {
  reason: { type: 'string' },
  until: { type: 'string' },
  since: { type: 'string' },
  failed: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const DAY = 86_400_000;

type Options = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

const operatorAction = ({ reason = '' }: Options) => ({ operator: userInfo().username, reason });

function parseDate(text: string, { inclusive }: { inclusive: boolean }): Date {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const date = new Date(text);
  if (
    !/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text) ||
    Number.isNaN(date.getTime())
  )
    throw new OperatorError(
      `"${text}" is not a valid date. Use a form such as 2026-12-31 or 2026-12-31T12:00Z.`,
    );
  return day && inclusive ? new Date(date.getTime() + DAY) : date;
}

/** Shows an end at midnight UTC as the last day that is included. */
function describeEnd(end: Date): string {
  if (end.getTime() % DAY !== 0) return `until ${formatMinute(end)} UTC`;
  return `through ${new Date(end.getTime() - DAY).toISOString().slice(0, 10)}`;
}

async function list(): Promise<void> {
  const { states, lists } = await overview();
  printLine(
    states.map(({ state, count }) => `${count} ${state}`).join(', ') || 'No one has bought a plan yet.',
  );
  for (const { title, rows } of lists) {
    printLine(`\n${title}: ${rows[0]?.total ?? 0}`);
    for (const { at, user_id, text } of rows)
      printLine(`  ${formatMinute(at)}  ${user_id ?? '(no account)'.padEnd(36)}  ${text}`);
  }
}

async function show(target: string): Promise<void> {
  const { person, subscriptions, timeline, cut } = await history(target);
  const erased = person.erased_at ? `, erased ${formatMinute(person.erased_at)}` : '';
  const deleted = person.deleted_at ? `, deleted ${formatMinute(person.deleted_at)}${erased}` : '';
  printLine(`${person.id}  ${person.email ?? '(no address)'}  ${person.name}`);
  printLine(
    `${person.plan}, subscription ${person.subscription_status}, ${person.credits} credits, since ${formatMinute(person.created_at)}${deleted}`,
  );
  for (const { at, text } of subscriptions) printLine(`Subscription ${text}, started ${formatMinute(at)}`);
  printLine(cut ? '\n(latest entries only)' : '');
  for (const { at, kind, text } of timeline) printLine(`${formatMinute(at)}  ${kind.padEnd(8)}  ${text}`);
}

async function grant(target: string, amount: string, flags: Options): Promise<void> {
  const credits = /^\d{1,9}$/.test(amount) ? Number(amount) : Number.NaN;
  const result = await addCredits({ target, credits }, operatorAction(flags));
  printLine(
    result.granted
      ? `Added ${formatCredits(credits)} to ${result.userId}.`
      : 'Nothing changed: these credits were already granted for this reason.',
  );
}

async function plan(target: string, name: string, flags: Options): Promise<void> {
  if (name !== 'pro' && name !== 'business') throw new OperatorError('The plan must be pro or business.');
  if (!flags.until) throw new OperatorError('Set when it ends: --until DATE, or --until never.');
  const endsAt = flags.until === 'never' ? null : parseDate(flags.until, { inclusive: true });
  const result = await addPlanGrant({ target, plan: name, endsAt }, operatorAction(flags));
  const end = endsAt ? describeEnd(endsAt) : 'with no end date';
  printLine(
    result.granted
      ? `${result.userId} has ${name} ${end}.`
      : `Nothing changed: ${result.userId} already has this plan.`,
  );
}

async function revoke(target: string, flags: Options): Promise<void> {
  const { userId, ended } = await revokePlan({ target }, operatorAction(flags));
  printLine(
    ended > 0 ? `Revoked the plan granted to ${userId}.` : `${userId} has no granted plan to revoke.`,
  );
}

const refundTexts = {
  succeeded: 'The payment was refunded.',
  pending: 'The provider accepted the refund and will complete it later.',
  failed: 'The provider declined the refund. Nothing was refunded.',
  unknown:
    'The provider has not confirmed the refund. The site checks again in a few minutes; run show to see the result.',
  none: 'Nothing changed: this payment was already refunded, or a refund is in progress.',
} as const;

async function refundPayment(payment: string, flags: Options): Promise<void> {
  const { outcome, ended } = await refund({ payment }, operatorAction(flags));
  printLine(`${refundTexts[outcome]}${ended ? ' Its plan has ended.' : ''}`);
  if (outcome === 'failed' || outcome === 'unknown') process.exitCode = 1;
}

function replaySelection(event: string | undefined, { failed, since }: Options): ReplaySelection {
  if (Number(event !== undefined) + Number(failed ?? false) + Number(since !== undefined) !== 1)
    throw new OperatorError('Choose what to replay: an event, --failed, or --since DATE.');
  if (event !== undefined) return { eventId: event };
  return since === undefined ? { failed: true } : { since: parseDate(since, { inclusive: false }) };
}

async function replay(event: string | undefined, flags: Options): Promise<void> {
  const { events, failed } = await replayEvents(replaySelection(event, flags), operatorAction(flags));
  printLine(`Replayed events: ${events - failed} applied, ${failed} failed.`);
  if (failed > 0) process.exitCode = 1;
}

async function runReconcile(target: string | undefined, flags: Options): Promise<void> {
  const { read, drift, missing, failed } = await reconcile({ target: target ?? null }, operatorAction(flags));
  printLine(
    `Checked ${read}: ${drift} fixed, ${missing} not found at the provider, ${failed} could not be read.`,
  );
  if (failed > 0) process.exitCode = 1;
}

const commands: Record<string, (words: string[], flags: Options) => Promise<void>> = {
  list,
  show: ([target = '']) => show(target),
  grant: ([target = '', amount = ''], flags) => grant(target, amount, flags),
  plan: ([target = '', name = ''], flags) => plan(target, name, flags),
  revoke: ([target = ''], flags) => revoke(target, flags),
  refund: ([payment = ''], flags) => refundPayment(payment, flags),
  replay: ([event], flags) => replay(event, flags),
  reconcile: ([target], flags) => runReconcile(target, flags),
};

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [name = 'list', ...words] = positionals;
  if (values.help || name === 'help') return void printLine(help);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new OperatorError(help);
  await runCommand(() => command(words, values));
}

await reportCommandError(main(process.argv.slice(2)), OperatorError);
