import process from 'node:process';
import { parseArgs } from 'node:util';
import { log } from '#platform/log.server.ts';
import type { Finding } from '../doctor/finding.ts';
import { runChecks } from '../doctor/run-checks.server.ts';
import { reportCommandError } from './run-command.server.ts';
import { printLine } from './terminal-output.server.ts';

const help = `npm run doctor                          tells what works, what is not set, and what is wrong
npm run doctor -- --mail you@your.site  sends a test letter too
npm run doctor -- --spend               asks the model for one token too, which costs next to nothing
Exit code 1 when something is wrong. Nothing else is changed, sent or paid; no secret is printed.`;

const options = {
  mail: { type: 'string' },
  spend: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
} as const;

function report(findings: Finding[]): string {
  const wide = Math.max(...findings.map(({ about }) => about.length));
  const lines = findings.map(
    ({ state, about, text }) => `${state.padEnd(7)}  ${about.padEnd(wide)}  ${text}`,
  );
  const count = findings.filter(({ state }) => state === 'wrong').length;
  const end =
    count === 0 ? 'Nothing is wrong.' : `${count} ${count === 1 ? 'thing is' : 'things are'} wrong.`;
  return `${lines.join('\n')}\n\n${end}`;
}

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options });
  if (values.help) return void printLine(help);
  log.level = 'silent';
  const findings = await runChecks({ letter: values.mail, spends: values.spend });
  printLine(report(findings));
  process.exitCode = findings.some(({ state }) => state === 'wrong') ? 1 : 0;
}

await reportCommandError(main(process.argv.slice(2)));
