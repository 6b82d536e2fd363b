import { graceHours, moneyBackDays } from '../../../features/billing/contract.ts';
import { featureTable, inCredits, seller, welcomeCredits } from '../../../features/credits/contract.ts';
import type { Question } from '../parts/questions.tsx';

const { chat, image, writer } = featureTable;

/** What people ask before they pay. */
export const pricingQuestions: readonly Question[] = [
  {
    id: 'credits',
    question: 'What is a credit?',
    answer: `What a press costs on the free plan: a message ${inCredits(chat.price)}, a text ${inCredits(writer.price)}, a picture ${inCredits(image.price)}. The button says it before you press. The first ${welcomeCredits} are given once and do not renew.`,
  },
  {
    id: 'unlimited',
    question: 'Is Pro really unlimited?',
    answer: [
      'No credits are taken for anything. A daily limit far above what one person reads protects the site; ',
      { text: 'fair use', href: '#fair-use' },
      ' has its figures.',
    ],
  },
  {
    id: 'checkout',
    question: 'What happens when I press the button?',
    answer: `You are led to a page of ${seller} with the price and the period; taxes of your country are included. Only what you confirm there is paid. Then you come back to the dashboard, and Pro begins as soon as ${seller} has told us of the payment.`,
  },
  {
    id: 'renewal',
    question: 'Does Pro renew by itself?',
    answer:
      'Yes, at the price and for the period that you chose, until you cancel. The dashboard shows the next date, and a receipt comes by mail each time.',
  },
  {
    id: 'cancel',
    question: 'How do I cancel?',
    answer:
      'On the dashboard, in two steps, at any time. You keep Pro to the end of what is paid, and may resume until then. Your chats and files stay.',
  },
  {
    id: 'refund',
    question: 'How do I get my money back?',
    answer: [
      `Within ${moneyBackDays} days of your first payment by a button on the dashboard: the whole payment goes back the way it came, and Pro ends at once. The button is there once per person. Later, `,
      { text: 'write to us', href: '/contact?about=billing' },
      '.',
    ],
  },
  {
    id: 'failed-payment',
    question: 'What if a renewal cannot be paid?',
    answer: `Pro goes on for ${graceHours} hours, and a mail tells you. The dashboard leads to ${seller}’s page where the card can be changed. Once it is paid, nothing was lost.`,
  },
  {
    id: 'change',
    question: 'Can I change the duration?',
    answer:
      'To a longer one, on the dashboard. What is left of the present period is credited, and the new one begins that day.',
  },
];
