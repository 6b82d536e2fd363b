import { inesChats, noraChats, type SeedChat, tomasChats } from '#content/seed/chats.ts';
import { seedDocument } from '#content/seed/document.ts';
import { seedDomain, seedPeople } from '#content/seed/people.ts';
import { seedPictures, seedPrompt, seedScript, seedText } from '#content/seed/works.ts';
import { clausesPdf } from './document.ts';
import { type Member, type Started, signIn } from './member.ts';
import { control, type DemoDatabase, type DemoSite, moveTo, waitFor } from './site.ts';

export type Members = Record<keyof typeof seedPeople, Member>;

/** Something that a person did on a day; it runs only once. */
interface Deed {
  daysAgo: number;
  run: () => Promise<void>;
}

const DAY = 86_400_000;

/** Sends the turns of a chat that are still missing: a turn with a known idempotency key does not run again. */
async function converse(member: Member, chat: SeedChat): Promise<void> {
  const path = `/api/chats/${chat.id}`;
  const there = await member.find<{ messages: object[] }>(path);
  if ((there?.messages.length ?? 0) >= chat.turns.length * 2) return;
  if (!there) await member.write('POST', '/api/chats', { id: chat.id, title: chat.title });
  for (const [turn, { says, replies }] of chat.turns.entries()) {
    const key = `seed-${chat.id}-${turn}`;
    const [first = '', ...others] = replies;
    const { reply } = await member.work<Started & { reply: { id: string } }>(
      `${path}/messages`,
      { text: says },
      key,
      first,
    );
    for (const [version, text] of others.entries())
      await member.work(`${path}/messages/${reply.id}/regenerate`, {}, `${key}-${version}`, text);
  }
}

const chats = (member: Member, list: SeedChat[]): Deed[] =>
  list.map((chat) => ({ daysAgo: chat.daysAgo, run: () => converse(member, chat) }));

interface WorkRows {
  works: { id: string }[];
}

export async function buy(member: Member): Promise<void> {
  const plan = async () => (await member.read<{ plan: string }>('/api/me')).plan;
  if ((await plan()) === 'pro') return;
  const { url } = await member.write<{ url: string }>('POST', '/api/checkouts', { plan: 'yearly' });
  await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ action: 'pay', card: 'good' }),
  });
  await waitFor('the payment', async () => (await plan()) === 'pro');
}

/** Writes a text, edits it by hand, and leaves a proposal undecided. */
async function compose(member: Member): Promise<void> {
  const { works } = await member.read<WorkRows>('/api/works?feature=writer');
  if (works.length > 0) return;
  const { content, passage, shorter, ...wish } = seedText;
  const begun = await member.work<Started & { work: { id: string }; version: { id: string } }>(
    '/api/write',
    wish,
    'seed-text',
    content,
  );
  const edited = {
    id: '6d1f5a10-0a51-4c52-9b1e-5d1d6f0a0041',
    content: content.replace('We guessed, and guessed wrong.', 'We guessed, and we guessed wrong.'),
  };
  await member.write('PUT', `/api/works/${begun.work.id}/versions/${edited.id}`, {
    content: edited.content,
    edition: 0,
  });
  await member.work(
    `/api/write/${begun.work.id}/edits`,
    {
      versionId: edited.id,
      from: edited.content.indexOf(passage),
      text: passage,
      action: 'shorten',
    },
    'seed-text-shorter',
    shorter,
  );
}

async function film(member: Member): Promise<void> {
  const { works } = await member.read<WorkRows>('/api/works?feature=script');
  if (works.length > 0) return;
  const { content, ...wish } = seedScript;
  await member.work('/api/scripts', wish, 'seed-script', content);
}

async function draw(member: Member): Promise<void> {
  for (const [index, picture] of seedPictures.entries())
    await member.work('/api/images', picture, `seed-picture-${index}`);
}

async function analyse(member: Member): Promise<void> {
  const { documents } = await member.read<{ documents: { name: string }[] }>('/api/documents');
  if (documents.some(({ name }) => name === seedDocument.name)) return;
  const bytes = await clausesPdf(seedDocument.title, seedDocument.pages);
  const name = encodeURIComponent(seedDocument.name);
  const { id } = await member.upload<{ id: string }>(`/api/documents?name=${name}`, bytes);
  const path = `/api/documents/${id}`;
  await member.work(`${path}/analysis`, {}, `seed-analysis-${id}`, JSON.stringify(seedDocument.analysis));
  for (const [index, { question, answer }] of seedDocument.questions.entries())
    await member.work(
      `${path}/questions`,
      { question },
      `seed-question-${id}-${index}`,
      JSON.stringify(answer),
    );
}

async function collect(members: Member[], writer: Member): Promise<void> {
  const { prompts } = await writer.read<{ prompts: { id: string; isLocked: boolean }[] }>('/api/prompts');
  const open = prompts.filter(({ isLocked }) => !isLocked);
  for (const [at, member] of members.entries())
    for (const { id } of open.slice(0, 6 - at * 2)) await member.write('POST', `/api/prompts/${id}/like`);
  await writer.write('POST', '/api/prompts', seedPrompt);
}

/**
 * Creates what is missing: people and their work, dated up to a week before `now` if the people are new. Everything
 * goes through the site itself; the model's replies come from content/seed. The clock is at `now` in the end.
 */
export async function fill(site: DemoSite, database: DemoDatabase, now: Date): Promise<Members> {
  const begun = Date.now();
  const anew = (await database.known(seedDomain)) === 0;
  const today = () => new Date(now.getTime() + Date.now() - begun);
  await control(site, { tokensPerSecond: 0, firstTokenMs: 0 });
  try {
    if (anew) await moveTo(site, database, new Date(now.getTime() - 7 * DAY));
    const members = {} as Members;
    for (const [who, { email, name }] of Object.entries(seedPeople)) {
      const member = await signIn(site, email);
      await member.write('PATCH', '/api/me', { name });
      members[who as keyof Members] = member;
    }
    const { nora, tomas, ines } = members;
    const deeds: Deed[] = [
      ...chats(nora, noraChats),
      ...chats(tomas, tomasChats),
      ...chats(ines, inesChats),
      { daysAgo: 6, run: () => buy(ines) },
      { daysAgo: 4, run: () => film(ines) },
      { daysAgo: 3, run: () => draw(ines) },
      { daysAgo: 2, run: () => collect([ines, nora, tomas], ines) },
      { daysAgo: 1, run: () => analyse(ines) },
      { daysAgo: 0, run: () => compose(ines) },
    ];
    let day = 7;
    for (const { daysAgo, run } of deeds.sort((a, b) => b.daysAgo - a.daysAgo)) {
      if (anew && daysAgo < day) await moveTo(site, database, new Date(today().getTime() - daysAgo * DAY));
      day = Math.min(day, daysAgo);
      await run();
    }
    return members;
  } finally {
    await control(site, { reset: true });
    if (anew) await moveTo(site, database, today());
  }
}
