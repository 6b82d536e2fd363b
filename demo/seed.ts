import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { seedDomain, seedPeople } from '#content/seed/people.ts';
import { fill } from './fill.ts';
import { type DemoDatabase, DemoError, openDatabase, runningSite, startSite } from './site.ts';

const HELP = `Fills the sandbox in DATA_DIR with three sample people and their activity.
  npm run seed               only if there are no other accounts
  npm run seed -- --really   even if there are other accounts
`;

const say = (line: string) => process.stdout.write(`${line}\n`);

/**
 * Refuses a database with other accounts before anything starts: a sandbox's jobs would take over the mail of a live
 * site.
 */
async function refuseBeside(database: DemoDatabase): Promise<void> {
  const others = await database.strangers(seedDomain);
  if (others > 0)
    throw new DemoError(
      `This database has ${others === 1 ? 'an account that was' : `${others} accounts that were`} not seeded, and seeding moves its clock back and forth. To seed it anyway: npm run seed -- --really`,
    );
}

/** Fills the sandbox of DATA_DIR, and prints how to sign in as each person. */
async function seed(really: boolean): Promise<void> {
  const dataDir = resolve(process.env.DATA_DIR || 'data');
  const there = await runningSite(dataDir);
  if (!there && process.env.DATABASE_URL)
    throw new DemoError(
      'DATABASE_URL is set, but no sandbox is running on it. Start one with npm start, or unset DATABASE_URL.',
    );
  const database = await openDatabase(dataDir);
  let site = there;
  try {
    if (!really) await refuseBeside(database);
    site ??= await startSite(dataDir);
    await fill(site, database, new Date());
  } finally {
    // Must close first: a site that ends also stops the embedded database for all connections.
    await database.close();
    await site?.close();
  }
  say(
    'Seeded. Request a sign-in link at /sign-in and open it in the mailbox of the stand-ins (/mail there):',
  );
  for (const { email, name, is } of Object.values(seedPeople)) say(`  ${email}  ${name}, ${is}`);
}

/** Parses the command line. @throws DemoError with the help */
function words(): { really: boolean; help: boolean } {
  try {
    const { values } = parseArgs({ options: { really: { type: 'boolean' }, help: { type: 'boolean' } } });
    return { really: values.really === true, help: values.help === true };
  } catch (error) {
    throw new DemoError(`${(error as Error).message}\n${HELP}`);
  }
}

try {
  const { really, help } = words();
  if (help) process.stdout.write(HELP);
  else await seed(really);
} catch (error) {
  if (!(error instanceof DemoError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
