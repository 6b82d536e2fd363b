import pg from 'pg';
import { POOL, seedChats, seedRuns, withoutIndexesAndKeys } from './seed-growth.ts';

/** Items of the person: 100,000 in total. */
const OWN = {
  chats: 58_000,
  drafts: 25_000,
  scripts: 9_000,
  images: 5_500,
  documents: 200,
  files: 2_000,
  prompts: 300,
};
/** Items of a hundred other people. */
const OTHERS = { chats: 30_000, drafts: 10_000 };
const PAGES = 20;

/** SQL for 60 words that depend on the row `n`. */
const text = (n: string) => `(select string_agg(words, ' ') from pool where pool.n in
  ((${n} * 31) % 4096, (${n} * 17 + 1) % 4096, (${n} * 5 + 2) % 4096, (${n} * 7 + 3) % 4096, (${n} * 3 + 4) % 4096, (${n} + 5) % 4096))`;

async function seedTexts(db: pg.Client, feature: string, count: number, owner: string): Promise<void> {
  await db.query(`create table work as
    select n, gen_random_uuid() as id, ${owner} as user_id, app_now() - n * interval '1 minute' as at
      from generate_series(1, ${count}) n`);
  await db.query(`
    insert into works (id, user_id, feature, title, created_at, updated_at)
    select id, user_id, '${feature}', '${feature} text ' || n, at, at from work`);
  await db.query(`
    insert into work_versions (id, work_id, user_id, kind, content, words, created_at, saved_at)
    select gen_random_uuid(), id, user_id, 'edited', ${text('work.n')}, 60, at, at from work`);
  await db.query('drop table work');
}

async function seedImages(db: pg.Client, person: string): Promise<void> {
  await db.query(`create table image as
    select n, gen_random_uuid() as id, app_now() - n * interval '1 minute' as at
      from generate_series(1, ${OWN.images}) n`);
  await seedRuns(db, `select id, ${person} as user_id, at as created_at, '' as text from image`, 'image');
  await db.query(`
    insert into image_jobs (id, user_id, prompt, size, count, model, created_at)
    select id, ${person}, ${text('image.n')}, '512x512', 1, 'seed', at from image`);
  await db.query(`
    insert into image_pictures (id, job_id, position, width, height, bytes, preview_bytes, file_key, small_key, medium_key)
    select gen_random_uuid(), id, 0, 512, 512, 1, 1, id::text, id || 's', id || 'm' from image`);
  await db.query('drop table image');
}

async function seedDocuments(db: pg.Client, person: string): Promise<void> {
  await db.query(`
    insert into documents (id, user_id, name, bytes, file_key, pages, pages_read, created_at)
    select gen_random_uuid(), ${person}, 'paper ' || n || '.pdf', 1, 'paper ' || n, ${PAGES}, ${PAGES}, app_now() - n * interval '1 minute'
      from generate_series(1, ${OWN.documents}) n`);
  await db.query(`
    insert into document_pages (document_id, page, width, height, text, boxes)
    select d.id, k, 612, 792, (select string_agg(words, ' ') from pool where pool.n % 101 = k), '{}'
      from documents d cross join generate_series(1, ${PAGES}) k where d.user_id = ${person}`);
}

/** Attaches each file to a message. */
async function seedFiles(db: pg.Client, person: string): Promise<void> {
  await db.query(`
    with file as (
      insert into attachments (id, user_id, kind, name, type, bytes, file_key, pages, pages_read, text, created_at)
      select gen_random_uuid(), ${person}, 'pdf', left(${text('s.n')}, 60) || '.txt', 'text/plain', 1000, 'file ' || s.n, 1, 1, '',
             app_now() - s.n * interval '1 minute'
        from generate_series(1, ${OWN.files}) s(n) returning id)
    update chat_messages m set attachment_id = f.id
      from (select id, row_number() over () as n from file) f
      join (select id, row_number() over () as n from chat_messages where user_id = ${person} and role = 'user'
             limit ${OWN.files}) question on question.n = f.n
     where m.id = question.id`);
}

/** Inserts a project with 3,000 of the chats, and twenty tags: one on 300 chats, the others on 5,000 items each. */
async function seedProjectAndTags(db: pg.Client, person: string) {
  const ids = async (text: string) => (await db.query<{ id: string }>(text)).rows.map((row) => row.id);
  const [project = ''] = await ids(
    `insert into projects (id, user_id, name) values (gen_random_uuid(), ${person}, 'Project') returning id`,
  );
  await db.query(`
    update chat_sessions set project_id = '${project}' where id in (
      select id from chat_sessions where user_id = ${person} order by updated_at limit 3000)`);
  const [tag = '', ...large] = await ids(`
    insert into tags (id, user_id, name, key) select gen_random_uuid(), ${person}, 'Tag ' || n, 'tag ' || n
      from generate_series(1, 20) n returning id`);
  const addTag = (id: string, kind: string, from: string, limit: number) =>
    db.query(`insert into tagged_items (tag_id, user_id, kind, item_id)
      select '${id}', ${person}, ${kind}, id from ${from} where user_id = ${person} order by md5(id || '${id}') limit ${limit}`);
  await addTag(tag, `'chat'`, 'chat_sessions', 300);
  for (const id of large) {
    await addTag(id, `'chat'`, 'chat_sessions', 2_500);
    await addTag(id, 'feature', 'works', 2_000);
    await addTag(id, `'image'`, 'image_jobs', 500);
  }
  return { project, tag, largeTag: large[0] ?? '' };
}

/** Inserts 100,000 items of a person directly. @returns ids of a project and tags to filter by. */
export async function seedLibrary(databaseUrl: string, userId: string) {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  const person = `'${userId}'::uuid`;
  await db.query(POOL);
  await db.query('create unique index on pool (n)');
  await db.query(
    `insert into users (id, email, name) select gen_random_uuid(), n || '@library.example', 'Library' from generate_series(1, 100) n`,
  );
  const other = `(select id from users where email = (1 + n % 100) || '@library.example')`;
  const tables = [
    'chat_messages',
    'chat_sessions',
    'generations',
    'credit_ledger',
    'works',
    'work_versions',
    'image_jobs',
  ];
  await withoutIndexesAndKeys(db, tables, async () => {
    for (const table of ['chat_messages', 'generations', 'work_versions'])
      await db.query(`alter table ${table} disable trigger user`);
    await seedChats(db, { chats: OTHERS.chats, messages: 2, owner: other });
    await seedChats(db, { chats: OWN.chats, messages: 2, owner: person });
    await seedTexts(db, 'writer', OTHERS.drafts, other);
    await seedTexts(db, 'writer', OWN.drafts, person);
    await seedTexts(db, 'script', OWN.scripts, person);
    await seedImages(db, person);
    await seedFiles(db, person);
  });
  for (const table of ['chat_messages', 'generations', 'work_versions'])
    await db.query(`alter table ${table} enable trigger user`);
  await seedDocuments(db, person);
  await db.query(`
    insert into prompts (user_id, title, description, content, opening, category, state, updated_at)
    select ${person}, 'Prompt ' || n, '', ${text('s.n')}, '', 'writing', 'private', app_now() - s.n * interval '1 minute'
      from generate_series(1, ${OWN.prompts}) s(n)`);
  await db.query('drop table pool');
  const filters = await seedProjectAndTags(db, person);
  await db.query('vacuum analyze');
  await db.end();
  return filters;
}
