import type { Question } from '../parts/questions.tsx';

/** What people ask before they bring their own work. */
export const useCaseQuestions: readonly Question[] = [
  {
    id: 'which-tool',
    question: 'Which tool do I begin with?',
    answer: [
      'With the one that ends in the thing you need: a text, a picture, a script, an answer with a page number. Where you do not know yet, begin in ',
      { text: 'the chat', href: '/chat' },
      ' and say what you have in front of you. The tools are compared on ',
      { text: 'one page', href: '/tools' },
      '.',
    ],
  },
  {
    id: 'confidential',
    question: 'May I put confidential documents in?',
    answer: [
      'What you enter leaves this site: it goes through a gateway to the provider of a model, without your name and address but otherwise as you wrote it. Take out what no stranger should read, and ask whoever the document belongs to. ',
      { text: 'Where it goes', href: '/privacy#answers-come-from-models-of-others' },
      ' stands in the privacy policy.',
    ],
  },
  {
    id: 'rights',
    question: 'May I publish or sell what comes out?',
    answer: [
      'Yes. As far as we have rights in it, they are yours, on the free plan too. Others may get something similar, and you answer for what you publish: look for brands, faces and sentences that belong to somebody else. ',
      { text: 'The terms', href: '/terms#your-content' },
      ' have the exact words.',
    ],
  },
  {
    id: 'wrong',
    question: 'What if an answer is wrong?',
    answer:
      'Some will be, and they sound no less certain. So each job above says what to check, the PDF Analyzer leaves out what it cannot quote, and every earlier version of a text stays. Credits come back when a run fails or gives nothing. They do not come back for a finished answer that is wrong, which is why the checking belongs to the job.',
  },
];
