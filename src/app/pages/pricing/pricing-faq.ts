import { graceHours } from '#features/billing/contract.ts';
import {
  featureTable,
  formatCredits,
  moneyBackDays,
  seller,
  welcomeCredits,
} from '#features/credits/contract.ts';
import { m } from '#messages';
import type { Question } from '#ui/faq.tsx';

const costOf = (feature: 'chat' | 'writer' | 'image') => {
  const { cost, price } = featureTable[feature];
  return cost({ count: price });
};

export const pricingQuestions = (): readonly Question[] => [
  {
    id: 'credits',
    question: m.pricing_q_credit(),
    answer: m.pricing_a_credit({
      chat: costOf('chat'),
      writer: costOf('writer'),
      image: costOf('image'),
      credits: formatCredits(welcomeCredits()),
    }),
  },
  { id: 'unlimited', question: m.pricing_q_unlimited(), answer: m.pricing_a_unlimited() },
  { id: 'checkout', question: m.pricing_q_checkout(), answer: m.pricing_a_checkout({ seller }) },
  { id: 'renewal', question: m.pricing_q_renewal(), answer: m.pricing_a_renewal() },
  { id: 'cancel', question: m.pricing_q_cancel(), answer: m.pricing_a_cancel() },
  { id: 'refund', question: m.pricing_q_refund(), answer: m.pricing_a_refund({ days: moneyBackDays }) },
  {
    id: 'failed-payment',
    question: m.pricing_q_failed(),
    answer: m.pricing_a_failed({ seller, hours: graceHours }),
  },
  { id: 'change', question: m.pricing_q_change(), answer: m.pricing_a_change() },
];
