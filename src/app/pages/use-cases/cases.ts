/** Somewhere to go on: a tool by its name, or a beginning in the chat. */
export interface CaseTool {
  name: string;
  path: string;
}

const writer = { name: 'AI Writer', path: '/tools/writer' };
const script = { name: 'Script Generator', path: '/tools/script' };
const image = { name: 'Image Generator', path: '/tools/image' };
const pdf = { name: 'PDF Analyzer', path: '/tools/pdf' };
const prompts = { name: 'Prompt Lab', path: '/tools/prompts' };
const code = { name: 'Code assistant', path: '/chat/new?assistant=code' };
const business = { name: 'Business assistant', path: '/chat/new?assistant=business' };

/** A job that one does here. */
export interface UseCase {
  id: string;
  title: string;
  description: string;
  brings: string;
  benefits: readonly string[];
  /** What remains with whoever uses it. */
  check: string;
  /** The first is where it begins. */
  tools: readonly [CaseTool, ...CaseTool[]];
}

/** The six jobs, in the order of the specification. */
export const useCases: readonly UseCase[] = [
  {
    id: 'content-creation',
    title: 'Content creation',
    description: 'A post, an article or a newsletter, from notes that are not a text yet.',
    brings: 'Five lines of what you want to say, for whom, and how long it may be.',
    benefits: [
      'A draft of the length that you asked for',
      'Passages shortened or put in another tone, one at a time',
      'Every earlier version',
    ],
    check: 'Names, figures and quotations. The draft may add some that nobody gave it.',
    tools: [writer, prompts],
  },
  {
    id: 'image-generation',
    title: 'Image generation',
    description: 'A picture for a post, a slide or a first idea of a cover.',
    brings: 'What is to be seen, from where, in which light, and what must not be in it.',
    benefits: [
      'Up to four tries at once, in three sizes',
      'A gallery that is searched by your own words',
      'A file that says a model made it',
    ],
    check: 'Hands, lettering and anything that looks like somebody’s brand.',
    tools: [image, prompts],
  },
  {
    id: 'document-analysis',
    title: 'Document analysis',
    description: 'A contract, a report or a paper that you have to know by this afternoon.',
    brings: 'The PDF, and the question that you would ask a colleague who has read it.',
    benefits: [
      'Statements with the words and the page that hold them',
      'An answer that says so when the document is silent',
      'Keywords with every place where they stand',
    ],
    check: 'The pages that the answer names. Tables and scans lose the most on the way.',
    tools: [pdf, { name: 'Chat with a file', path: '/chat' }],
  },
  {
    id: 'video-scripts',
    title: 'Video scripts',
    description: 'A scene on paper before anybody holds a camera.',
    brings: 'Who wants what in which room, a style, and the minutes that you have.',
    benefits: [
      'A screenplay in the form that productions read',
      'One line changed without touching the others',
      'A file for Final Draft, Fountain or print',
    ],
    check: 'Read it aloud with a clock. The length on paper is an estimate.',
    tools: [script, prompts],
  },
  {
    id: 'code-generation',
    title: 'Code generation',
    description: 'A function, a query or a test that you could write, in a language you use rarely.',
    brings: 'The code around it, the error as it stands there, and the version that you run.',
    benefits: [
      'Code with its imports, in a block that copies cleanly',
      'The cause of a bug before its cure',
      'Tests for the cases that you forgot',
    ],
    check: 'Run it. The assistant cannot, and it may call a function that does not exist.',
    tools: [code, prompts],
  },
  {
    id: 'business-automation',
    title: 'Business automation',
    description: 'The mails, agendas and reports that come back every week.',
    brings: 'One good example of last week, and what is different in this one.',
    benefits: [
      'A prompt with blanks that the whole team fills in',
      'Minutes with owners and dates, from rough notes',
      'Mails that can be sent after one reading',
    ],
    check: 'Amounts, dates and who has promised what. Nothing is sent for you.',
    tools: [business, prompts, writer],
  },
];

/** A field of work. `guide` is its part of the article on industries. */
export interface Industry {
  name: string;
  description: string;
  guide: string;
  tools: readonly CaseTool[];
}

/** Six fields, each with a first task that is useful and hard to do damage with. */
export const industries: readonly Industry[] = [
  {
    name: 'Retail',
    description: 'Product texts from a data sheet, ten at a time, in the voice of the shop.',
    guide: 'retail',
    tools: [writer, image],
  },
  {
    name: 'Software',
    description: 'Tests and explanations for code that exists, before any new code.',
    guide: 'software',
    tools: [code, prompts],
  },
  {
    name: 'Education',
    description: 'One exercise at three levels of difficulty, with the solutions apart.',
    guide: 'education',
    tools: [writer, pdf],
  },
  {
    name: 'Law',
    description: 'A letter in plain language about a matter that is finished.',
    guide: 'law',
    tools: [pdf, writer],
  },
  {
    name: 'Health care',
    description: 'Information for patients, written without any patient’s data.',
    guide: 'health-care',
    tools: [writer, pdf],
  },
  {
    name: 'Real estate',
    description: 'A listing from the checklist of the visit, facts first.',
    guide: 'real-estate',
    tools: [writer, image],
  },
];
