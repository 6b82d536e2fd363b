import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { OwnAssistant } from './own-assistants/own-assistants-contract.ts';

interface Times {
  userId: string;
  createdAt: Date;
  updatedAt: Date;
}

/** @returns false if the account was deleted meanwhile */
export async function insertImportedProject(
  tx: Database,
  row: Times & { id: string; name: string; instructions: string },
): Promise<boolean> {
  const added = await tx.run(sql`
    insert into projects (id, user_id, name, instructions, created_at, updated_at)
    select ${row.id}::uuid, u.id, ${row.name}, ${row.instructions}, ${row.createdAt}, ${row.updatedAt}
      from users u where u.id = ${row.userId} and u.deleted_at is null`);
  return added > 0;
}

/** @returns false if the account was deleted meanwhile */
export async function insertImportedAssistant(tx: Database, row: Times & OwnAssistant): Promise<boolean> {
  const added = await tx.run(sql`
    insert into own_assistants (id, user_id, name, about, instruction, model, created_at, updated_at)
    select ${row.id}::uuid, u.id, ${row.name}, ${row.about}, ${row.instruction}, ${row.model}, ${row.createdAt}, ${row.updatedAt}
      from users u where u.id = ${row.userId} and u.deleted_at is null`);
  return added > 0;
}
