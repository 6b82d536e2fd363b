import { m } from '#messages';
import { sentenceSeparator } from '#shared/join-sentences.ts';
import type { Question } from '#ui/faq.tsx';

export const caseQuestions = (): readonly Question[] => [
  { id: 'which-tool', question: m.use_cases_q_tool(), answer: m.use_cases_a_tool() },
  { id: 'confidential', question: m.use_cases_q_confidential(), answer: m.use_cases_a_confidential() },
  {
    id: 'rights',
    question: m.use_cases_q_rights(),
    answer: [
      m.use_cases_a_rights() + sentenceSeparator(),
      { text: m.use_cases_a_rights_terms(), href: '/terms' },
    ],
  },
  { id: 'wrong', question: m.use_cases_q_wrong(), answer: m.use_cases_a_wrong() },
];
