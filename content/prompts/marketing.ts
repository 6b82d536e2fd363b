import type { CuratedEntry } from './prompt.ts';

/** Selling and telling: positioning, mails, pages, campaigns, research. */
export const marketing: CuratedEntry[] = [
  {
    slug: 'positioning-statement',
    title: 'Positioning in one page',
    description: 'For whom, against what, why believe it: and the customers you give up.',
    content: `Work out the positioning of {{product | text:required}}.

What it does: {{what | textarea:required}}
Who buys it today, and what they used before: {{customers | textarea:required}}
What they say in their own words: {{quotes | textarea}}

Give me: the alternative that customers would really turn to, doing nothing included; the two or three things we have that it has not; what each is worth to the customer in time, money or risk; who cares most about exactly that; and the category in which we want to be found.

Then one statement: For (who) who (need), it is (category) that (value), unlike (alternative), because (proof). Below it, three kinds of customer we should stop courting, and the weakest link of this argument.`,
  },
  {
    slug: 'landing-page-copy',
    title: 'Landing page, section by section',
    description: 'Headline to last question, each section with one job and proof you really have.',
    content: `Write the copy of a landing page for {{offer | text:required}}. Visitors come from {{source | text:default="a search for the problem it solves"}} and should {{action | text:required:placeholder="start a trial, book a call"}}.

The visitor's situation: {{situation | textarea:required}}
Proof that exists (figures, names, quotations): {{proof | textarea}}

Sections: headline under ten words that names the outcome; a subline with for whom and how; the problem as the visitor would tell it; how it works in three steps; proof, only from what I gave; price or what happens after the click; four objections with straight answers; the call to action, whose button says what one gets.

For each section add a line in italics on its job. No superlatives, no "unlock", no invented numbers: write [proof needed] instead.`,
  },
  {
    slug: 'subject-lines-with-angles',
    title: 'Subject lines from different angles',
    description: 'Twelve that differ in idea, not in punctuation, with what each promises.',
    content: `Write {{count | number:min=6:max=24:default=12}} subject lines for this email to {{list | text:required:placeholder="customers who bought once last year"}}:
{{email | textarea:required}}

Cover at least six different angles: the result, the cost of waiting, a question they have asked themselves, a detail that makes curious, somebody like them, plain news. At most two from one angle. Up to 45 characters each, no capitals for force, at most one emoji in the whole list, nothing the email does not keep.

Table: subject, angle, characters, preview text of at most 80 characters that adds instead of repeating. Then name the two you would test against each other and what we would learn from either outcome.`,
  },
  {
    slug: 'customer-interview-guide',
    title: 'Interview guide that avoids flattery',
    description: 'Questions about the past and about money spent, not about your idea.',
    content: `Write a guide for customer interviews of {{minutes | number:min=15:max=60:default=30}} minutes. I want to learn: {{question | textarea:required}}
I will talk to: {{people | text:required}}

Ask about what they did, last time, in detail; never "would you". My idea is not mentioned before the last five minutes. Order: their day and role; the last time the problem came up, step by step; what it cost; what they tried and paid for; who else was involved; what they would not give up.

For each question: why it is asked, a follow-up for a vague answer, and a sign that the answer is only polite. Add three sentences to open with, one for getting back from talk about features, and a sheet for notes with the five facts I must have at the end.`,
  },
  {
    slug: 'social-posts-from-article',
    title: 'A week of posts from one article',
    description: 'Five posts that stand alone, each with one idea and a first line that earns the second.',
    content: `Make {{count | number:min=3:max=10:default=5}} posts for {{network | select:options=["LinkedIn","X","Instagram","Mastodon","Facebook"]:default="LinkedIn"}} from the article below.

Each post carries a single idea that makes sense to somebody who will never click. Vary the form: a number with its meaning, a mistake and its repair, a short scene, a contrary opinion with a reason, a checklist. First line under 60 characters, understandable without the second. Keep to the length that is usual on the network. Claims only from the article.

For each: the text, the picture or none with what it shows, an alternative text for it, and a reply that I could write under the first comment. Say which one to post first. Voice: {{voice | text:default="one person talking to a colleague"}}.

Article:
{{article | textarea:required}}`,
  },
  {
    slug: 'welcome-mail-series',
    title: 'Welcome series of four emails',
    description: 'From first login to habit: one action per email, with a trigger and a reason to stop.',
    pro: true,
    content: `Plan and write a series of four emails for people who have just signed up for {{product | text:required}}.

What makes somebody stay (the thing that those who stayed did in the first week): {{key_action | text:required}}
What stops people before it: {{obstacles | textarea:required}}
Voice, with one sentence as an example: {{voice | text}}

For each email: trigger (an event or its absence, not only a number of days); who does not get it; the one action; subject and preview; body of at most 120 words with a single link; what counts as success; what is sent if it fails.

Mail 1 helps before it sells. Mail 2 shows somebody like them, with [customer story] where I must supply it. Mail 3 answers the obstacle that is met most often. Mail 4 asks: go on, change the plan, or leave; and makes leaving easy. Draw the series as a list of branches, and end with the three figures to watch and their likely first values.`,
  },
  {
    slug: 'ad-copy-by-awareness',
    title: 'Ads by level of awareness',
    description:
      'The same offer for people who do not know they have the problem, and for those who compare.',
    pro: true,
    content: `Write search and social advertisements for {{offer | text:required}}, sorted by how much the reader knows already.

Audience: {{audience | text:required}}
What is true and provable: {{facts | textarea:required}}
What we may not claim: {{limits | textarea}}

Levels: does not see a problem; feels it, knows no solution; knows solutions, not us; knows us, hesitates. For each level: what goes on in their head, in one sentence in their voice; two social texts of at most 25 words before the fold; three search headlines of 30 characters and two descriptions of 90; the picture; the page they should land on and its first line.

Count characters and show the count. Change the idea from level to level and not only the wording. Mark any sentence that a regulator or a competitor could dispute, with a safer one. Finish with a test plan of three steps for a budget of {{budget | text:default="500 euros"}}.`,
  },
  {
    slug: 'case-study-from-notes',
    title: 'Case study from call notes',
    description: 'Before, turning point, after: with the customer as the one who acts.',
    content: `Write a case study of {{words | number:min=250:max=1200:default=500}} words from notes of a call with {{customer | text:required}}.

Notes: {{notes | textarea:required}}
Figures that the customer approved: {{figures | textarea}}

Form: a title with the result; a box with who, size, problem, result; then before (one concrete bad day), the decision (what nearly stopped it), the work (what they did, with our part in a subordinate role), after (figures with period and baseline), and what they would do differently. Two quotations of at most 25 words, from the notes as they stand.

Where a figure lacks a baseline or a period, write [ask customer]. At the end: the questions for a ten-minute follow-up, and a short version of 60 words.`,
  },
  {
    slug: 'name-brainstorm-with-filters',
    title: 'Names, filtered',
    description: 'Many candidates in different families, then only those that survive hard tests.',
    content: `Find names for {{thing | text:required:placeholder="a repair service for bicycles that comes to your door"}}. They should feel {{feeling | text:required}}.
They must not feel: {{avoid | text:placeholder="childish, technical"}}

Step 1: sixty candidates in six families of ten: plain description, metaphor, invented word, compound, a word from the trade, a person or place. No explanations.
Step 2: strike those that are hard to spell after hearing, have an unlucky meaning in {{languages | text:default="English, Spanish, French, German"}}, describe every competitor as well, or tie us to today's product.
Step 3: the eight that remain, each with how it is said on the phone ("Hello, this is ..."), what it makes one expect, and its weak side.

You cannot check trademarks or domains: say so, and give me the searches to make.`,
  },
  {
    slug: 'price-page-explanations',
    title: 'Words for a pricing page',
    description: 'Plans named for their buyers, differences that matter, and honest answers about limits.',
    content: `Write the words of a pricing page.

Plans with prices and limits: {{plans | textarea:required}}
Who each is meant for: {{buyers | textarea:required}}
Questions that people ask before buying: {{questions | textarea}}

Deliver: a headline that says how we charge; a name and one line for each plan by who it is for, not by metal or size; the five rows of the comparison that decide, in the customer's words (the others belong below a fold); what happens at a limit; what happens on canceling; taxes and currency; and an answer of at most 40 words to each question.

Say which plan you would mark as usual and why. Point out where the structure itself confuses, with a simpler one. No crossed-out prices that were never asked.`,
  },
  {
    slug: 'seo-brief-for-a-writer',
    title: 'Search brief for a writer',
    description: 'What the searcher wants to get done, what to cover, and what only you can add.',
    pro: true,
    content: `Write a brief for an article that should answer the search "{{query | text:required}}" better than what is there.

Titles and headings of pages that rank now (pasted): {{competitors | textarea:required}}
What we know that they do not: {{own_knowledge | textarea:required}}
Product we may mention: {{product | text}}

Contents: the task behind the search and the moment in which it is typed; what the reader must know in the first hundred words; an order of headings with the question each answers and the evidence it needs; what all competitors repeat and we can say in one sentence; what none of them says; a table, calculation, example or picture that would be linked to; related questions for the end; internal links by topic.

Title of at most 60 characters and description of at most 150. Limits: {{words | number:min=500:max=3000:default=1400}} words, no keyword more often than it would be said. List the claims that need a source. You cannot see search volumes; do not state any.`,
  },
  {
    slug: 'press-release-worth-reading',
    title: 'Press release that is news',
    description: 'The news in the first line, a quotation a person might say, facts for the desk.',
    content: `Write a press release about {{news | textarea:required}} for {{media | text:required:placeholder="regional newspapers, trade press"}}.

First judge: why would these readers care today? If the honest answer is "they would not", say what would have to be added and stop.

Otherwise: headline under 80 characters with the fact; a lead of 35 words with who, what, when, where, why; two paragraphs of context with figures and their source; one quotation by {{speaker | text:required}} that contains an opinion or a reason, not "we are excited"; what happens next with a date; a note on us of 50 words; contact.

At most 350 words. Below: three questions that a skeptical journalist would ask, with answers from what I gave or [prepare], and a subject line for the email to the desk.`,
  },
  {
    slug: 'objection-handling-sheet',
    title: 'Objection sheet for sales calls',
    description: 'What they say, what they mean, what to ask, what to show, when to let go.',
    content: `Make a sheet for calls about {{offer | text:required}} with {{buyers | text:required}}.

Objections we hear: {{objections | textarea:required}}
Facts and references we may use: {{facts | textarea}}

For each objection, in a table: the words; two things it may really mean; a question that finds out which, without arguing; an answer for either case in at most 30 words; the proof to show; the sign that we should thank them and end the call.

Then put the objections in two groups: those to prevent earlier (with the sentence and the moment), and those that tell us the buyer is wrong for us. Nothing that puts pressure on time or shames. Where the objection is right, the answer begins by saying so.`,
  },
  {
    slug: 'competitor-comparison-page',
    title: 'Fair comparison with a competitor',
    description: 'A page that a competitor could not call unfair, and that still sells.',
    content: `Write a comparison page of {{us | text:required}} and {{them | text:required}} for people who are choosing now.

What I know of both, with date and source: {{facts | textarea:required}}

Begin with who should choose them, in two sentences that are true. Then who should choose us. A table of at most nine rows that decide: what each does, with the source as a note and the date of checking; "unknown" where I gave nothing. Three situations with the better choice for each, one of them theirs. What it takes to move from one to the other, and back. Questions.

No adjectives in the table. Prices with the conditions. At the end, list for me: statements that must be checked again every quarter, and those that a lawyer should see before publication.`,
  },
  {
    slug: 'campaign-retrospective',
    title: 'What a campaign taught us',
    description: 'Figures read with care: what changed, what only moved along, what to do next.',
    pro: true,
    content: `Evaluate this campaign: {{campaign | text:required}}, whose aim was {{aim | text:required}}.

Figures, with periods and costs: {{figures | textarea:required}}
What else happened at that time: {{context | textarea}}

1. Was the aim met? Answer yes, no or cannot be told, with the figure that decides.
2. For each channel: cost per result, beside its own past and beside the others; say where the numbers are too small to mean anything and how large they would have to be.
3. Three explanations for the best and the worst result, and for each what in the data would speak against it.
4. What the figures cannot show (people who would have come anyway, effects after the period).
5. Stop, go on, change: one line each with the expected effect, and the next test with its size and the result that would change our mind.`,
  },
  {
    slug: 'brand-voice-guide',
    title: 'Voice guide from real samples',
    description: 'Rules drawn from your best texts, with before and after that anybody can follow.',
    pro: true,
    content: `Derive a guide to our voice from these texts, which we consider good:
{{samples | textarea:required}}
And from these, which we would not write again:
{{counterexamples | textarea}}
Who reads us: {{readers | text:required}}

Describe what the samples do, with evidence: length of sentences in words, person and tense, where the verb stands, kinds of words that come and never come, how they begin and end, how they handle bad news and jokes. Quote for each.

Then four to six rules in the form "We do this, not that, because", each with a sentence before and after from my own material. A list of words: ours, and what we say in place of theirs. How the voice changes in an error message, an invoice, a reply to an angry customer, a headline: one example each.

End with a test of five sentences that a new colleague must repair, with solutions. Do not call the voice friendly, bold or authentic.`,
  },
  {
    slug: 'video-script-for-product',
    title: 'Script for a 45-second product video',
    description: 'Picture and sound in two columns, understandable without sound, one thing shown.',
    content: `Write a script for a video of {{seconds | number:min=15:max=120:default=45}} seconds that shows {{product | text:required}} to {{viewers | text:required}}.

The one thing they should do or remember: {{point | text:required}}
What we can film or record: {{means | text:default="screen recording, one person, one room"}}

Table with time, picture, spoken words, text on screen. Something happens in the first two seconds. The product appears before second eight, in use, with a real task. Spoken text at most two and a half words a second, so count them. It must be understood without sound. Show one thing well and leave the other features out. The last four seconds: what to do, and nothing else.

Add an opening to test against the first, the caption with its first line, and a list of shots in filming order.`,
  },
  {
    slug: 'survey-without-bias',
    title: 'Survey that does not lead',
    description: 'Few questions, tied to decisions, checked for the ways in which answers go wrong.',
    content: `Write a survey for {{people | text:required}}. It should help us to decide: {{decision | textarea:required}}

At most {{count | number:min=3:max=15:default=8}} questions. Before each, in brackets: which answer would lead us to do what. Drop any question without such an effect.

Begin with behavior in a stated period, then experience, then opinion, then the few facts about the person that we need for the analysis. Scales with every point labeled, a way out for those to whom it does not apply, one open question near the end. No two things in one question, no "do you agree", no words that praise.

Then check yourself: for each question, how an answer could mislead us (memory, politeness, order, who does not answer) and what the wording does against it. Give the invitation of 60 words, and the number of answers below which we should not draw a conclusion.`,
  },
  {
    slug: 'win-back-mail',
    title: 'Win back a customer who left',
    description: 'A short email that knows why they went, says what changed and takes no for an answer.',
    content: `Write an email to customers who left {{product | text:required}} {{when | text:default="three to six months ago"}}.

Why they left, as far as we know: {{reasons | textarea:required}}
What has changed since that concerns those reasons: {{changes | textarea:required}}
Offer, if any: {{offer | text}}

If nothing that changed answers a reason, tell me not to send it and to whom to write instead.

Otherwise: subject under 45 characters without "we miss you"; first sentence that names the reason, without guilt; what is different now, with something they can check in a minute; what they keep (data, settings, price); one link; one line with which to say never again. Under 110 words, from a named person who reads the replies.

Write one variant for each reason. Add what to do with the answers.`,
  },
  {
    slug: 'event-invitation-page',
    title: 'Invitation to an event people attend',
    description: 'Who should come, what they leave with, and reminders that cut the no-shows.',
    content: `Write the invitation to {{event | text:required}} on {{date | text:required}} for {{guests | text:required}}.

Program and speakers: {{program | textarea:required}}
Place or link, price, seats: {{practical | textarea}}

The page: a title with the benefit; who should come and who should not; three things guests can do afterwards that they could not before; the program with times, each item with the question it answers; speakers by what they have done; practical matters, including access for wheelchairs, captions and what is recorded; registration with as few fields as possible.

Then three short emails: the invitation, a reminder one week before with one thing to prepare, and one on the morning with link or route first. And an email for those who registered and did not come, without reproach. Each under 100 words.`,
  },
  {
    slug: 'local-business-profile',
    title: 'Profile of a local business',
    description: 'Description, services, answers and replies to reviews for maps and directories.',
    content: `Write the texts of a profile in maps and directories for {{business | text:required}} in {{town | text:required}}.

What we do, for whom, since when: {{facts | textarea:required}}
Opening hours, languages, parking, access: {{practical | textarea}}

1. Description of at most 700 characters: what, where, for whom, what we are known for here; the name of the town once; no list of search words.
2. Eight services with a sentence each, from what a customer would ask for.
3. Six questions with answers of at most 40 words, as people on the phone ask them.
4. Replies to reviews: one for praise that mentions a detail, one for a justified complaint, one for an unjustified one, one for stars without words. Each under 60 words, signed by a first name, without discounts in exchange.
5. Ten photos that we should take ourselves, and why.`,
  },
];
