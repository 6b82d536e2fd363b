import { featureTable, moneyBackDays } from '#features/credits/contract.ts';
import { m } from '#messages';
import { setting } from '#shared/settings.ts';
import type { Question } from '#ui/faq.tsx';

export const homeQuestions = (): Question[] => [
  {
    id: 'credit',
    question: m.pricing_q_credit(),
    answer: m.home_faq_credit_answer({ message: featureTable.chat.price, image: featureTable.image.price }),
  },
  {
    id: 'chatgpt',
    question: m.home_faq_chatgpt(),
    answer: m.home_faq_chatgpt_answer({ site: setting('brand.name') }),
  },
  { id: 'data', question: m.home_faq_data(), answer: m.home_faq_data_answer() },
  {
    id: 'cancel',
    question: m.home_faq_cancel(),
    answer: m.home_faq_cancel_answer({ days: moneyBackDays }),
  },
];
