import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { seedDomain, seedPeople } from '../content/seed/people.ts';
import { fill } from './fill.ts';
import { DemoError, openDatabase, openSite } from './site.ts';

const { values } = parseArgs({ options: { really: { type: 'boolean' } } });
const dataDir = resolve(process.env.DATA_DIR || 'data');
const say = (line: string) => process.stdout.write(`${line}\n`);

/** Fills the sandbox of DATA_DIR, and says how to sign in as each. */
async function seed(): Promise<void> {
  const site = await openSite(dataDir);
  try {
    const database = await openDatabase(dataDir);
    try {
      const others = await database.strangers(seedDomain);
      if (others > 0 && !values.really)
        throw new DemoError(
          `This database has ${others} accounts that were not seeded, and seeding moves its clock to and fro. npm run seed -- --really does it all the same.`,
        );
      await fill(site, database, new Date());
    } finally {
      await database.close();
    }
    say(
      'Seeded. Ask for a sign-in link on /sign-in, and read it in the mailbox of the stand-ins (/mail there):',
    );
    for (const { email, name, is } of Object.values(seedPeople)) say(`  ${email}  ${name}, ${is}`);
  } finally {
    await site.close();
  }
}

try {
  await seed();
} catch (error) {
  if (!(error instanceof DemoError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
