import {
  erasePerson as eraseAccount,
  isDue,
  peopleToErase,
} from '../features/accounts/deletion/service.server.ts';
import { erasePerson as eraseChats } from '../features/chat/person/service.server.ts';
import { erasePerson as eraseRuns } from '../features/generations/person/service.server.ts';
import { transaction } from '../platform/database/database.server.ts';
import { log } from '../platform/log/log.server.ts';

/** People of one run of the job; the next takes the rest. */
const AT_ONCE = 100;

/** Everything of one person in one transaction: a crash leaves them whole, to be erased by the next run. */
function erase(userId: string): Promise<boolean> {
  return transaction(async (tx) => {
    if (!(await isDue(tx, userId))) return false;
    await eraseChats(tx, userId);
    await eraseRuns(tx, userId);
    await eraseAccount(tx, userId);
    return true;
  });
}

/** Erases the people whose account was deleted 30 days ago. One who cannot be erased now does not hold up the others. */
export async function erasePeople(): Promise<void> {
  for (const userId of await peopleToErase(AT_ONCE)) {
    try {
      if (await erase(userId)) log.info({ userId }, 'a deleted account was erased');
    } catch (error) {
      log.error({ error, userId }, 'a deleted account could not be erased; it is tried again');
    }
  }
}
