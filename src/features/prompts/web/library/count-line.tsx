import { categoryNames, type PromptQuery } from '../../contract.ts';

/** How many prompts there are, and of what: '12 prompts in Writing with “mail”'. */
export function countText(total: number, { q, category, sort }: PromptQuery): string {
  const what = sort === 'mine' ? 'of yours' : '';
  const where = category ? `in ${categoryNames[category]}` : '';
  const words = q === '' ? '' : `with “${q}”`;
  return [`${total} ${total === 1 ? 'prompt' : 'prompts'}`, what, where, words].filter(Boolean).join(' ');
}
