import { type Feature, featureTable, inCredits, planLimits } from '../../../features/credits/contract.ts';

/** What a person uses by its name; titles of chats come along with them. */
export type PricedFeature = Exclude<Feature, 'title'>;

/** What one pays for. */
const units: Record<PricedFeature, [one: string, many: string]> = {
  chat: ['a message', 'messages'],
  writer: ['a text', 'texts'],
  image: ['a picture', 'pictures'],
  script: ['a script', 'scripts'],
  pdf: ['a document', 'documents'],
  question: ['a question', 'questions'],
  prompts: ['a prompt', 'prompts'],
};

/** What a tool is on the free plan, in words, from the table that the charges are made by. */
export function freeTerms(feature: PricedFeature): string {
  const { price, free } = featureTable[feature];
  if (!free) return 'Part of Pro';
  if (price === 0) return 'Free to use, Pro prompts apart';
  const perDay = feature === 'chat' ? `, ${planLimits.free.chatsPerDay} new conversations a day` : '';
  return `${inCredits(price)} ${units[feature][0]}${perDay}`;
}

/** The same on an unlimited plan. `perDay`: its fair use a UTC day; undefined where nothing is counted. */
export function proTerms(feature: PricedFeature, perDay: number | undefined): string {
  const many = units[feature][1];
  return perDay === undefined ? `All ${many}` : `No credits, up to ${perDay} ${many} a day`;
}

const { question, ...tools } = featureTable;
const locked = Object.values(tools).filter(({ free }) => !free);

/** Which tools come with Pro alone, in words. */
export const proUnlocks = `${new Intl.ListFormat('en', { type: 'conjunction' }).format(locked.map(({ name }) => name))} unlocked${question.free ? '' : ', questions to a PDF included'}`;
