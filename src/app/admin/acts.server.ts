import { z } from 'zod';
import { database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { OperatorAct } from '#platform/operator-acts.server.ts';
import { type AdminRequest, readForm } from './admin-request.server.ts';

const press = z.uuid();

type Act = Required<Pick<OperatorAct, 'operator' | 'operatorId' | 'reason'>> & { press: string };

interface ReadAct<Fields> {
  act: Act;
  fields: Fields;
}

/** Every form that changes something names its press; see `PressField`. */
export async function readAct<Shape extends z.ZodRawShape>(
  request: AdminRequest,
  shape: Shape,
): Promise<ReadAct<z.output<z.ZodObject<Shape>>>> {
  const known = z.object({ press, reason: z.string().trim().max(300).default('') });
  const read = await readForm(request, z.intersection(known, z.object(shape)));
  const { email, actor } = request.operator;
  const act = { operator: email, operatorId: actor.userId, press: read.press, reason: read.reason };
  return { act, fields: read as z.output<z.ZodObject<Shape>> };
}

interface StoredAct {
  action: string;
  details: Record<string, unknown>;
}

/** What an act has done, by its name; a word of `details` is text from outside. */
const told: Record<string, (details: Record<string, unknown>) => string> = {
  export: ({ table }) => `The table “${table}” was exported.`,
};

export const tellAct = ({ action, details }: StoredAct): string =>
  told[action]?.(details) ?? `Done: ${action}.`;

/** Of the press that led to this page. */
export async function actTold({ query, operator }: AdminRequest): Promise<string | null> {
  const id = press.safeParse(query.get('done'));
  if (!id.success) return null;
  const row = await database().row<StoredAct>(sql`
    select action, details from operator_actions
     where press = ${id.data}::uuid and operator_id = ${operator.actor.userId}::uuid
       and created_at > app_now() - interval '10 minutes'`);
  return row && tellAct(row);
}
