import { m } from '#messages';
import { categoryNames, type PromptQuery } from '../../contract.ts';

/** '12 prompts in Writing with “mail”' */
export function resultCount(count: number, { q, category, sort }: PromptQuery): string {
  const isOwn = sort === 'mine';
  if (!category) {
    if (q === '') return isOwn ? m.prompts_count_mine({ count }) : m.prompts_count({ count });
    return isOwn ? m.prompts_count_mine_q({ count, q }) : m.prompts_count_q({ count, q });
  }
  const values = { count, category: categoryNames[category]() };
  if (q === '') return isOwn ? m.prompts_count_mine_category(values) : m.prompts_count_category(values);
  const all = { ...values, q };
  return isOwn ? m.prompts_count_mine_category_q(all) : m.prompts_count_category_q(all);
}
