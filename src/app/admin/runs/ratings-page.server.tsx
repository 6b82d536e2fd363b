import { type RatingReason, ratingReasons } from '#features/chat/contract.ts';
import { database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { adminPage } from '../admin-page.server.tsx';
import type { AdminRequest } from '../admin-request.server.ts';
import { Period, readPeriod } from '../period.tsx';
import { SmallTable } from '../small-table.tsx';

const reasonNames: Record<RatingReason, string> = {
  wrong: 'Not accurate',
  off_topic: 'Not what was asked for',
  length: 'Too long or too short',
  style: 'Hard to read',
  refused: 'Refused for no reason',
  other: 'Something else',
};

interface RatingsRow {
  model: string;
  good: number;
  bad: number;
  /** Number of ratings by reason. */
  reasons: Partial<Record<RatingReason, number>>;
}

const ratingsByModel = (days: number) =>
  database().rows<RatingsRow>(sql`
    with rated as (
      select r.good, r.reason, coalesce(c.model, 'unknown') as model
        from reply_ratings r join chat_messages m on m.id = r.message_id
        left join lateral (
          select coalesce(k.answered_by, k.model) as model from gateway_calls k
           where k.generation_id = m.generation_id order by k.answered_by is null, k.started_at limit 1) c on true
       where m.generation_id is not null and r.created_at >= app_now() - ${days}::int * interval '1 day')
    select model, count(*) filter (where good)::int as good, count(*) filter (where not good)::int as bad,
           (select coalesce(json_object_agg(n.reason, n.count), '{}')
              from (select i.reason, count(*)::int as count from rated i
                     where i.model = rated.model and i.reason is not null group by 1) n) as reasons
      from rated group by model order by count(*) desc, model limit 100`);

export async function ratingsPage(request: AdminRequest): Promise<Response> {
  const days = readPeriod(request.query);
  const rows = await ratingsByModel(days);
  return adminPage(request, {
    title: 'Ratings',
    here: '/admin/ratings',
    children: (
      <>
        <div className="row justify-between">
          <h1 className="h2">Ratings</h1>
          <Period path="/admin/ratings" days={days} />
        </div>
        <SmallTable
          title="Replies in chat, by model"
          columns={['Model', 'Good', 'Bad', 'Good %', ...ratingReasons.map((reason) => reasonNames[reason])]}
          figuresFrom={1}
          emptyText="No ratings in this period."
          rows={rows.map(({ model, good, bad, reasons }) => ({
            key: model,
            cells: [
              model,
              good,
              bad,
              Math.round((100 * good) / (good + bad)),
              ...ratingReasons.map((reason) => reasons[reason] ?? 0),
            ],
          }))}
        />
      </>
    ),
  });
}
