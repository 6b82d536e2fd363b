import { sql } from '#platform/database/sql.server.ts';
import type { Invariant } from '#platform/feature-module.server.ts';

export const promptsInvariants: readonly Invariant[] = [
  {
    id: 'I22',
    description: 'the like and rating counts of a prompt are correct, and nobody rates their own',
    violations: sql`select 'likes' as what, p.id, p.likes as counted, count(l.user_id)::int as given from prompts p
        left join prompt_likes l on l.prompt_id = p.id group by p.id having p.likes <> count(l.user_id)
      union all select 'ratings', p.id, p.rating_count, count(u.stars)::int from prompts p
        left join prompt_uses u on u.prompt_id = p.id group by p.id
        having p.rating_count <> count(u.stars) or p.rating_sum <> coalesce(sum(u.stars), 0)
      union all select 'own', p.id, p.rating_count, u.stars from prompts p
        join prompt_uses u on u.prompt_id = p.id and u.user_id = p.user_id and u.stars is not null`,
  },
];
