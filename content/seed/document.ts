/** A lease of our own, as people bring one to the PDF Analyzer; pages of numbered clauses. Nobody's contract. */
export const seedDocument = {
  name: 'Lease, 14 Quay Street.pdf',
  title: 'Lease for the flat at 14 Quay Street, second floor left',
  pages: [
    [
      [
        '1. The flat',
        'The landlord lets to the tenant the flat on the second floor left, 64 square metres, with a cellar room and the use of the yard. The condition at the handover is noted in a record that both sign; what is not in the record counts as sound.',
      ],
      [
        '2. Rent and costs',
        'The rent is 980 a month and is due on the third working day. Heating and water are paid in advance with 160 a month and settled once a year. The landlord shows the bills within six months of the end of the year; later claims are void.',
      ],
      [
        '3. Raising the rent',
        'The rent may be raised once in 24 months, by no more than eight per cent, and only in writing with three months’ warning. During these three months the tenant may end the lease with one month’s notice.',
      ],
    ],
    [
      [
        '4. Deposit',
        'The deposit is two months’ rent. The landlord keeps it apart from other money in an account that bears interest. It is returned within eight weeks of the handover, less the cost of damage that is shown by bills. A flat sum for cleaning may not be kept back.',
      ],
      [
        '5. Repairs',
        'The tenant reports defects without delay. The landlord repairs them within ten working days, heating and water within 48 hours. Small repairs up to 75 each are paid by the tenant, but no more than 220 in a year.',
      ],
      [
        '6. Animals and guests',
        'Small animals need no consent. A dog or a cat needs consent, which may be refused for a stated reason only. Guests may stay for six weeks without notice.',
      ],
    ],
    [
      [
        '7. Ending the lease',
        'The tenant may end this lease at any time with three months’ notice to the end of a month. The landlord may end it only for a reason that the law names, with six months’ notice. Notice is given in writing on paper; a message by email does not count.',
      ],
      [
        '8. Handing back',
        'The flat is handed back swept, with all keys. Walls need not be painted if their colours are light. Holes of ordinary size may stay. Both parties sign a second record on the day of the handover.',
      ],
      [
        '9. Changes',
        'Changes to this lease hold only in writing. If one clause does not hold, the others do.',
      ],
    ],
  ],
  analysis: {
    statements: [
      {
        text: 'The rent is 980 a month, with 160 in advance for heating and water; bills that come later than six months after the year need not be paid.',
        quotes: [
          { page: 1, words: 'The rent is 980 a month and is due on the third working day.' },
          { page: 1, words: 'within six months of the end of the year; later claims are void' },
        ],
      },
      {
        text: 'It may rise once in 24 months by at most eight per cent, and each rise lets the tenant leave with one month’s notice.',
        quotes: [
          { page: 1, words: 'The rent may be raised once in 24 months, by no more than eight per cent' },
          { page: 1, words: 'the tenant may end the lease with one month’s notice' },
        ],
      },
      {
        text: 'The deposit of two months’ rent comes back within eight weeks, and no flat sum for cleaning may be taken from it.',
        quotes: [
          { page: 2, words: 'It is returned within eight weeks of the handover' },
          { page: 2, words: 'A flat sum for cleaning may not be kept back.' },
        ],
      },
      {
        text: 'The tenant leaves with three months’ notice, on paper: an email does not count.',
        quotes: [
          { page: 3, words: 'at any time with three months’ notice to the end of a month' },
          { page: 3, words: 'a message by email does not count' },
        ],
      },
    ],
    questions: [
      {
        question: 'Who pays for small repairs?',
        answer: 'The tenant, up to 75 each and 220 a year.',
        quotes: [{ page: 2, words: 'Small repairs up to 75 each are paid by the tenant' }],
      },
      {
        question: 'Do the walls have to be painted?',
        answer: 'Not if their colours are light.',
        quotes: [{ page: 3, words: 'Walls need not be painted if their colours are light.' }],
      },
    ],
    keywords: ['landlord', 'tenant', 'notice', 'rent', 'deposit', 'handover', 'repairs', 'consent'],
  },
  questions: [
    {
      question: 'Can the landlord keep money for cleaning?',
      answer: {
        answered: true,
        statements: [
          {
            text: 'No flat sum for cleaning may be taken from the deposit.',
            quotes: [{ page: 2, words: 'A flat sum for cleaning may not be kept back.' }],
          },
          {
            text: 'Damage may be charged, if bills show what it cost.',
            quotes: [{ page: 2, words: 'less the cost of damage that is shown by bills' }],
          },
        ],
      },
    },
    { question: 'May I sublet a room?', answer: { answered: false, statements: [] } },
  ],
};
