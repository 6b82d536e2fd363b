/** A text of ours that shows what the PDF Analyzer makes of a document; the quotes are checked by the tool's own code. */
export const sampleDocument = {
  name: 'How a quotation is checked',
  pages: [
    `A summary is easy to read and hard to trust. Whoever reads it cannot see which of its sentences stand in the document and which were only likely. A reader who has to be sure must go back to the document, and then the summary has saved no time. The remedy is old: a statement is followed by the words that it rests on, and by the page on which they stand.`,
    `A model may invent the words as well. So every quotation is searched for in the text of the document before it is shown. Case, line ends, hyphens and the forms of letters do not count. A changed figure counts, and so does a lost or an added not. What is not found is left out, together with the statement that hung on it.`,
    `Where the document does not answer a question, the answer says so. That is not a failure of the tool: it is often the most useful thing to know about a contract. The pages that were read are named, so that nobody takes silence for an answer.`,
  ],
  summary: [
    {
      text: 'Readers cannot tell the true sentences of a summary from the likely ones, so each statement is given with its words and page.',
      quotes: [
        {
          page: 1,
          words: 'cannot see which of its sentences stand in the document and which were only likely',
        },
        {
          page: 1,
          words: 'a statement is followed by the words that it rests on, and by the page on which they stand',
        },
      ],
    },
    {
      text: 'Quotations are looked up before they are shown; what is not there goes, with its statement.',
      quotes: [
        { page: 2, words: 'every quotation is searched for in the text of the document before it is shown' },
        { page: 2, words: 'What is not found is left out, together with the statement that hung on it.' },
      ],
    },
    {
      text: 'That a document does not answer a question is said plainly.',
      quotes: [{ page: 3, words: 'Where the document does not answer a question, the answer says so.' }],
    },
  ],
  questions: [
    {
      question: 'Which differences between a quotation and the document do not count?',
      answer: 'Case, line ends, hyphens and forms of letters. A changed figure or a lost “not” does.',
      quotes: [
        { page: 2, words: 'Case, line ends, hyphens and the forms of letters do not count.' },
        { page: 2, words: 'A changed figure counts, and so does a lost or an added not.' },
      ],
    },
  ],
  keywords: ['document', 'quotation', 'statement', 'words', 'answer', 'page', 'summary', 'contract'],
};
