/** One turn of a seeded conversation: what the person says, and the replies to it, of which the last is shown. */
export interface SeedTurn {
  says: string;
  replies: string[];
}

export interface SeedChat {
  id: string;
  title: string;
  /** Days before now. */
  daysAgo: number;
  turns: SeedTurn[];
}

const debounce = `Keep one timer in a closure and reset it on every call. The **last call wins**, and the types of the arguments are kept:

\`\`\`typescript
export function debounce<A extends unknown[]>(fn: (...a: A) => void, ms = 200) {
  let t: ReturnType<typeof setTimeout>;
  return (...a: A) => {
    clearTimeout(t); // drop the earlier call
    t = setTimeout(() => fn(...a), ms);
  };
}
\`\`\`

\`ReturnType<typeof setTimeout>\` is a number in browsers and an object in Node, so the same file compiles for both.`;

const debounceFirst = `Use a timer that each call starts again:

\`\`\`typescript
export function debounce(fn: () => void, ms: number) {
  let t: number;
  return () => {
    window.clearTimeout(t);
    t = window.setTimeout(fn, ms);
  };
}
\`\`\`

This form takes no arguments and only works in a browser.`;

const cacheKeys = `Put into the key everything that changes the answer, from the general to the particular:

| key | what it holds | what makes it stale |
|---|---|---|
| \`['invoices']\` | every list and every invoice | a new invoice |
| \`['invoices', 'list', { year, page }]\` | one page of a list | a change of any row on it |
| \`['invoices', 'one', id]\` | a single invoice | a payment on it |

Invalidating \`['invoices']\` reaches all three, because a key matches every key that begins with it. Objects in a key are compared by value, and the order of their fields does not matter.`;

const launchMail = `**Subject:** Your Saturday list, on one page

Hi Jo,

You told us that planning the market stall takes three apps and a paper bag. From today it takes one page: what you sell, what is left, and what to bring next week.

It is free until the end of January, and your old lists come along if you send us the file.

Shall I set it up with you on Thursday? Fifteen minutes are enough.

Nora`;

const meeting = `Here are the notes as decisions and tasks.

**Decided**
- The bicycle cellar gets a second rack; the landlord pays for it.
- Quiet hours on Sundays stay as they are.

| task | who | until |
|---|---|---|
| Ask for two offers for the rack | Amira | 28 November |
| Write to the landlord about the stair light | Paul | 24 November |
| Put the dates of the cleaning rota in the hall | Nora | this week |

**Open:** who keeps the key to the garden shed. Nobody objected to Paul, and nobody asked him.`;

const loan = `With a loan of $P$, a monthly rate $r$ and $n$ payments, each payment is

$$
M = P\\,\\frac{r\\,(1+r)^n}{(1+r)^n-1}
$$

For $P = 18{,}000$, $r = 0.049/12$ and $n = 48$ this gives $M \\approx 413.71$.

| | loan | lease |
|---|---|---|
| each month | 413.71 | 289.00 |
| after 48 months | 19,858 | 13,872 |
| the car is then | yours | the dealer's |

The lease is cheaper by 5,986 over the four years. It only stays cheaper if the car is worth less than that at the end.`;

const stones = `The order that loses least time is the one in which nothing waits for the oven:

1. **Evening, 21:00.** Mix flour and water, and leave them for half an hour.
2. **21:30.** Add starter and salt. Fold every 30 minutes, four times.
3. **23:30.** Into the fridge, covered.
4. **Morning, 8:00.** Shape while it is cold; it tears less.
5. **9:30.** Bake 20 minutes under a lid, then 22 without.

If your kitchen is warmer than 25 °C, skip the last fold.`;

/** Conversations of a person on the free plan who has credits left. */
export const noraChats: SeedChat[] = [
  {
    id: '6d1f5a10-0a51-4c52-9b1e-5d1d6f0a0001',
    title: 'Tenants’ meeting notes',
    daysAgo: 5,
    turns: [
      {
        says: 'Turn my notes into decisions and tasks: second bike rack yes (landlord pays), Amira gets 2 offers till 28 Nov, stair light: Paul writes landlord by 24 Nov, Sunday quiet hours unchanged, cleaning rota dates in the hall (me, this week), shed key??',
        replies: [meeting],
      },
    ],
  },
  {
    id: '6d1f5a10-0a51-4c52-9b1e-5d1d6f0a0002',
    title: 'Launch email, casual tone',
    daysAgo: 0.9,
    turns: [
      {
        says: 'A short launch email to Jo, who runs a market stall and tried our beta. Casual. One question at the end.',
        replies: [launchMail],
      },
    ],
  },
  {
    id: '6d1f5a10-0a51-4c52-9b1e-5d1d6f0a0003',
    title: 'Cache keys for React Query',
    daysAgo: 0.06,
    turns: [{ says: 'How should I structure query keys in React Query for invoices?', replies: [cacheKeys] }],
  },
  {
    id: '6d1f5a10-0a51-4c52-9b1e-5d1d6f0a0004',
    title: 'Debounce in TypeScript',
    daysAgo: 0,
    turns: [{ says: 'How do I debounce a function in TypeScript?', replies: [debounceFirst, debounce] }],
  },
];

/** Conversations of somebody with Pro. */
export const inesChats: SeedChat[] = [
  {
    id: '6d1f5a10-0a51-4c52-9b1e-5d1d6f0a0011',
    title: 'Loan or lease, the arithmetic',
    daysAgo: 3,
    turns: [
      {
        says: 'Loan of 18,000 over 48 months at 4.9 % or a lease at 289 a month: show the arithmetic.',
        replies: [loan],
      },
    ],
  },
  {
    id: '6d1f5a10-0a51-4c52-9b1e-5d1d6f0a0012',
    title: 'Sourdough without waiting',
    daysAgo: 1,
    turns: [
      { says: 'A sourdough timetable for someone who works from nine. Bake before work.', replies: [stones] },
      {
        says: 'And if I forget the last fold?',
        replies: [
          'Nothing is lost. The dough spreads a little more, so shape it tighter and bake it in a pot rather than on a stone.',
        ],
      },
    ],
  },
];

/** Ten messages: the whole welcome gift of somebody who has used it up. */
export const tomasChats: SeedChat[] = [
  {
    id: '6d1f5a10-0a51-4c52-9b1e-5d1d6f0a0021',
    title: 'Four days in Lofoten',
    daysAgo: 6,
    turns: [
      {
        says: 'What do I pack for four days in Lofoten in late September?',
        replies: [
          'Wool next to the skin, a windproof shell and rain trousers. Expect 6 to 11 °C and rain on most days. Shoes with a real sole: the paths are wet rock.',
        ],
      },
      {
        says: 'One backpack, hand luggage. What stays at home?',
        replies: [
          'Jeans, the second jumper, the tripod and the towel. Huts have towels, and jeans never dry.',
        ],
      },
      {
        says: 'Is the bus enough, or do I need a car?',
        replies: [
          'The bus runs along the main road a few times a day and fewer on Sundays. For two walks and the ferry it is enough; for sunrise on a beach it is not.',
        ],
      },
      {
        says: 'Which walk if it rains?',
        replies: [
          'The coast path from Nusfjord to Nesland: low, marked, and interesting in rain. Leave the ridges for a dry day.',
        ],
      },
    ],
  },
  {
    id: '6d1f5a10-0a51-4c52-9b1e-5d1d6f0a0022',
    title: 'Gears for a steep street',
    daysAgo: 4,
    turns: [
      {
        says: 'My smallest gear is 34/28. Which cassette makes a 12 % street bearable?',
        replies: [
          'A 34-tooth sprocket turns 34/28 into 34/34: one wheel turn for one of the pedals, 18 % easier. Check that your derailleur takes 34 teeth; many stop at 32.',
        ],
      },
      {
        says: 'At 70 turns a minute, how fast is that?',
        replies: [
          'With a wheel of 2.1 m around: $70 \\times 2.1 \\times 60 = 8{,}820$ m an hour, so 8.8 km/h.',
        ],
      },
      {
        says: 'And with 34/28?',
        replies: ['$8.82 \\times 34/28 = 10.7$ km/h at the same 70 turns.'],
      },
    ],
  },
  {
    id: '6d1f5a10-0a51-4c52-9b1e-5d1d6f0a0023',
    title: 'A letter to the school',
    daysAgo: 2,
    turns: [
      {
        says: 'Write a note that Luca misses Friday for a family event. Polite, three sentences.',
        replies: [
          'Dear Ms Brandt, Luca will miss school this Friday because of a family celebration in another town. He will ask a classmate for the work and bring it back on Monday. Thank you for your understanding.',
        ],
      },
      {
        says: 'Less stiff.',
        replies: [
          'Dear Ms Brandt, Luca will not be in class on Friday: we have a family celebration out of town. He will catch up over the weekend. Thank you, and have a good week.',
        ],
      },
      {
        says: 'In Spanish for my mother, who asks what I wrote.',
        replies: [
          'Estimada Sra. Brandt: Luca no irá a clase el viernes, porque tenemos una celebración familiar fuera de la ciudad. Se pondrá al día el fin de semana. Gracias, y buena semana.',
        ],
      },
    ],
  },
];
