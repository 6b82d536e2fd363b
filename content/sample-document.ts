/** A lease of our own invention that shows what the PDF Analyzer makes of a document; the quotes are checked by the tool's own code. */
export const sampleDocument = {
  name: 'lease.pdf',
  pages: [
    `1. Parties. The landlord lets the apartment on the second floor to the tenant.

2. Term. The lease runs for two years from the first of May. Either side may end it after that with ninety days’ written notice.

3. Use. The tenant lives in the apartment and does not run a shop in it.`,
    `4. Rent. The monthly rent is $1,850, due on the first day of each month. A payment that arrives after the fifth day carries a late fee of $40.

5. Increases. The rent stays the same for the first twelve months. After that, the landlord may raise it once a year and must give sixty days’ written notice.

6. Deposit. The tenant pays a deposit of $1,850. The landlord returns it within thirty days of the end of the lease, less the cost of damage beyond ordinary wear.

7. Repairs. The landlord keeps heating, water and wiring in working order. The tenant reports damage within three days of noticing it.`,
  ],
  summary: [
    {
      text: 'The rent is fixed for the first year.',
      quotes: [{ page: 2, words: 'The rent stays the same for the first twelve months.' }],
    },
    {
      text: 'Later increases: once a year, with 60 days’ notice.',
      quotes: [{ page: 2, words: 'may raise it once a year and must give sixty days’ written notice' }],
    },
    {
      text: 'The deposit comes back within 30 days of the end.',
      quotes: [{ page: 2, words: 'returns it within thirty days of the end of the lease' }],
    },
  ],
  questions: [
    {
      question: 'Who pays for a broken heater?',
      answer: 'The landlord keeps heating in working order.',
      quotes: [{ page: 2, words: 'The landlord keeps heating, water and wiring in working order.' }],
    },
  ],
  keywords: ['rent', 'landlord', 'tenant', 'lease', 'deposit', 'notice', 'damage'],
};
