import {
  erasePerson as eraseAccount,
  isDue,
  peopleToErase,
} from '../features/accounts/deletion/service.server.ts';
import { erasePerson as eraseBilling } from '../features/billing/person/service.server.ts';
import { erasePerson as eraseAttachments } from '../features/chat/attachments/person/service.server.ts';
import { erasePerson as eraseChats } from '../features/chat/person/service.server.ts';
import { erasePerson as eraseRuns } from '../features/generations/person/service.server.ts';
import { erasePerson as eraseImages } from '../features/image/person/service.server.ts';
import { erasePerson as eraseDocuments } from '../features/pdf/person/service.server.ts';
import { erasePerson as erasePrompts } from '../features/prompts/person/service.server.ts';
import { erasePerson as eraseMessages } from '../features/support/contact/person/service.server.ts';
import { erasePerson as eraseNewsletter } from '../features/support/newsletter/person/service.server.ts';
import { erasePerson as eraseWorks } from '../features/works/person/service.server.ts';
import { transaction } from '../platform/database/database.server.ts';
import { removeFiles } from '../platform/files/upkeep.server.ts';
import { log } from '../platform/log/log.server.ts';

/** People whom one run of the job erases; the next takes the rest. */
const AT_ONCE = 100;

/**
 * Everything of one person in one transaction: a crash leaves them whole, to be erased by the next run. Their files go
 * once that holds; those that a crash leaves then are swept, for no row names them.
 */
async function erase(userId: string): Promise<boolean> {
  const files = await transaction(async (tx) => {
    if (!(await isDue(tx, userId))) return null;
    await eraseChats(tx, userId);
    await eraseWorks(tx, userId);
    const keys: string[] = [];
    for (const eraseFilesOf of [eraseAttachments, eraseImages, eraseDocuments])
      keys.push(...(await eraseFilesOf(tx, userId)));
    await eraseRuns(tx, userId);
    await erasePrompts(tx, userId);
    await eraseBilling(tx, userId);
    // Before the account, whose address names them.
    await eraseMessages(tx, userId);
    await eraseNewsletter(tx, userId);
    await eraseAccount(tx, userId);
    return keys;
  });
  if (files) await removeFiles(files);
  return files !== null;
}

async function tryToErase(userId: string): Promise<boolean> {
  try {
    const erased = await erase(userId);
    if (erased) log.info({ userId }, 'a deleted account was erased');
    return erased;
  } catch (error) {
    log.error({ error, userId }, 'a deleted account could not be erased; it is tried again');
    return false;
  }
}

/**
 * Erases the people whose account was deleted 30 days ago. Those who cannot be erased now, however many, take no place
 * of those behind them: each is tried once in a run, and only those who are erased count.
 */
export async function erasePeople(): Promise<void> {
  const tried: string[] = [];
  for (let erased = 0; erased < AT_ONCE; ) {
    const people = await peopleToErase(AT_ONCE - erased, tried);
    if (people.length === 0) return;
    for (const userId of people) if (await tryToErase(userId)) erased++;
    tried.push(...people);
  }
}
