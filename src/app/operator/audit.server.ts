import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { invariants } from './invariants.server.ts';

const MAX_EXAMPLES = 20;

export interface Finding {
  id: string;
  says: string;
  /** Up to 20 rows that violate the invariant; empty if it holds. */
  violations: object[];
}

/** @param scope `recent` limits invariants that read every run to the last two days and skips the nightly ones. */
export async function audit(db: Database, scope: 'whole' | 'recent' = 'whole'): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { id, description, violations: allViolations, recent, nightly } of invariants) {
    if (nightly && scope === 'recent') continue;
    const violations = scope === 'recent' ? (recent ?? allViolations) : allViolations;
    findings.push({
      id,
      says: description,
      violations:
        typeof violations === 'function'
          ? await violations(db, MAX_EXAMPLES)
          : await db.rows<object>(sql`select * from (${violations}) v limit ${MAX_EXAMPLES}`),
    });
  }
  return findings;
}
