/** Something that the site holds itself to, and where it can be checked. */
export interface Promised {
  name: string;
  text: string;
  proof: { text: string; href: string };
}

/** The commitments to security and fairness. Each is kept by the code, and its proof is a page. */
export const promises: readonly Promised[] = [
  {
    name: 'No passwords',
    text: 'You sign in by a mail that works once, or with Google or GitHub. Links, codes and sessions are stored as fingerprints only.',
    proof: { text: 'How it is protected', href: '/privacy#how-it-is-protected' },
  },
  {
    name: 'No card data',
    text: 'You type your card on the page of the payment provider. It never reaches this site.',
    proof: { text: 'Security of payments', href: '/pricing#security' },
  },
  {
    name: 'No strangers on the page',
    text: 'Fonts, scripts and pictures come from this site alone. Nothing that is not essential is stored in your browser before you have said yes.',
    proof: { text: 'Every stored item by name', href: '/cookies#essential' },
  },
  {
    name: 'A price before the press',
    text: 'The button says what it costs, and what fails gives its credits back by itself. Each of them has its line on the dashboard.',
    proof: { text: 'What each plan includes', href: '/pricing#plans' },
  },
  {
    name: 'Yours to take and to erase',
    text: 'One download has everything that is yours. A deleted account is closed at once and erased after 30 days.',
    proof: { text: 'How long we keep what', href: '/privacy#how-long-we-keep-it' },
  },
  {
    name: 'Keys stay on the server',
    text: 'Your browser never holds a key to a model or to another service, and what belongs to somebody else is not found, not even refused.',
    proof: { text: 'Who else gets data', href: '/privacy#who-else-gets-data' },
  },
];

/** What happens between a question and its answer. */
export const steps: ReadonlyArray<[name: string, text: string]> = [
  ['You', 'send a message. Until then it is a draft in your own browser.'],
  ['Our server', 'looks whether you are signed in, books the credit, and stores what you wrote.'],
  [
    'A gateway',
    'takes the message, its files and the conversation to the provider of a model. Your name, your mail address and your network address stay here.',
  ],
  ['A model of somebody else', 'answers, word by word. We did not train it and cannot know why it said so.'],
  [
    'Our server',
    'stores the answer while it comes, so that you may close the page. If it fails, the credit is yours again.',
  ],
];
