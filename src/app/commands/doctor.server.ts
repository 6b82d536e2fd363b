import process from 'node:process';
import { parseArgs } from 'node:util';
import { log } from '#platform/log.server.ts';
import type { Finding } from '../doctor/finding.ts';
import { runChecks } from '../doctor/run-checks.server.ts';
import { reportCommandError } from './run-command.server.ts';
import { printLine } from './terminal-output.server.ts';

const help = `npm run doctor                          checks what works, what is not set, and what is wrong
npm run doctor -- --mail you@your.site  also sends a test email
npm run doctor -- --spend               also asks the model for one token, which costs next to nothing
Exits with code 1 if something is wrong. Nothing else is changed, sent or paid for, and no secret is printed.`;

const options = {
  mail: { type: 'string' },
  spend: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
} as const;

function report(findings: Finding[]): string {
  const width = Math.max(...findings.map(({ about }) => about.length));
  const lines = findings.map(
    ({ state, about, text }) => `${state.padEnd(7)}  ${about.padEnd(width)}  ${text}`,
  );
  const count = findings.filter(({ state }) => state === 'wrong').length;
  const summary =
    count === 0 ? 'No problems found.' : `${count} ${count === 1 ? 'problem' : 'problems'} found.`;
  return `${lines.join('\n')}\n\n${summary}`;
}

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options });
  if (values.help) return void printLine(help);
  log.level = 'silent';
  const findings = await runChecks({ testMailTo: values.mail, spend: values.spend });
  printLine(report(findings));
  process.exitCode = findings.some(({ state }) => state === 'wrong') ? 1 : 0;
}

await reportCommandError(main(process.argv.slice(2)));
