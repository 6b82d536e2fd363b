import type { CuratedEntry } from './prompt.ts';

/** Texts of every kind: letters, revisions, reports, stories. */
export const writing: CuratedEntry[] = [
  {
    slug: 'cut-a-text-by-a-third',
    title: 'Cut a text by a third',
    description: 'A shorter version that keeps every fact, and a list of what went.',
    content: `Shorten the text below by about {{share | number:min=10:max=70:default=33}} percent without losing a fact.

Cut in this order: repetition, throat-clearing, adverbs that only add force, examples beyond the first. Keep names, figures, dates, quotations and the author's tone. Do not replace plain words with grander ones.

Give me:
1. The shortened text.
2. Words before and after.
3. A list of anything you removed that a careful reader might miss, or "nothing".

Text:
{{text | textarea:required:placeholder="Paste the text"}}`,
  },
  {
    slug: 'say-no-kindly',
    title: 'Say no without burning the bridge',
    description: 'A refusal that is clear in its first line and leaves a door open where you want one.',
    content: `Write a message to {{recipient | text:required:placeholder="a client, my cousin, a recruiter"}} in which I decline this: {{request | textarea:required}}

My real reason: {{reason | text}}
What I can offer instead: {{offer | text}}

The no stands in the first two sentences. One reason is enough, and it must be true; do not invent another. No "unfortunately" twice, no apology longer than four words, nothing that invites bargaining unless I named an offer. Tone: {{tone | select:options=["warm","businesslike","brief and firm"]:default="warm"}}.

At most 120 words. Then give a version in two sentences that I could send as a chat message.`,
  },
  {
    slug: 'meeting-notes-to-minutes',
    title: 'Turn rough notes into minutes',
    description: 'Decisions, tasks with owners and open questions, with nothing made up.',
    content: `Turn these notes into minutes that somebody who was absent can act on.

Use exactly these sections:
- Decisions: one line each, with who decided if the notes say so.
- Tasks: a table with task, owner, due date. Write "not named" where the notes are silent.
- Open questions: what was raised and not settled.
- For the record: figures, dates and commitments that were mentioned.

Leave out small talk and the order in which things were said. Where a note can be read in two ways, quote it and ask me. Do not infer decisions from opinions.

Meeting: {{meeting | text:placeholder="Weekly product meeting, 21 November"}}
Notes:
{{notes | textarea:required}}`,
  },
  {
    slug: 'explain-to-a-newcomer',
    title: 'Explain it to a newcomer',
    description: 'A difficult subject from what the reader already knows, with one image to hold on to.',
    content: `Explain {{subject | text:required:placeholder="compound interest, photosynthesis, VAT"}} to {{reader | text:default="an attentive fourteen-year-old"}}.

Begin with something the reader has seen or done. Introduce one new term at a time and say what it means in the same sentence. Use a single comparison and carry it through to the end; say where it stops being true. Then show one worked example with real numbers or a concrete case.

Finish with three questions that test understanding rather than memory, with the answers below them.

Length: {{words | number:min=150:max=1200:default=450}} words.`,
  },
  {
    slug: 'cover-letter-from-facts',
    title: 'Cover letter from facts',
    description: 'One page that answers the job ad and claims only what you gave it.',
    pro: true,
    content: `Write a cover letter of at most 280 words for this position. Use only facts from my notes; where the advertisement asks for something that the notes do not show, leave it out and tell me after the letter.

Build it like this: an opening that names what the employer needs and the one result of mine closest to it; a middle with two short stories (situation, what I did, what came of it in figures); an end that says why this employer, in a sentence that would be false for their competitor, and when I can start.

No "I am writing to apply", no "passionate", no list of adjectives.

Advertisement:
{{advertisement | textarea:required}}

My notes (jobs, results, why I want this):
{{notes | textarea:required}}

Language and form of address: {{form | text:default="English, Dear hiring team"}}`,
  },
  {
    slug: 'outline-before-draft',
    title: 'Outline an argument before drafting',
    description: 'A claim, its supports, the strongest objection, and what evidence is missing.',
    content: `I want to write about {{topic | text:required}} for {{audience | text:required}}.
What I believe so far: {{position | textarea}}

Do not draft yet. Give me:
1. The claim in one sentence that somebody sensible could dispute.
2. Three to five supporting points, strongest last. Under each: what kind of evidence would convince this audience, and whether I have it.
3. The best objection, stated so that its holder would agree with the wording, and my honest answer.
4. An order of sections with a one-line purpose each and a share of the length in percent.
5. Two openings of one sentence: one begins with a scene, one with a fact to be checked.

Mark every factual statement that I must verify with [check].`,
  },
  {
    slug: 'complaint-that-gets-an-answer',
    title: 'A complaint that gets an answer',
    description: 'Facts in order, one demand, one date, and no anger that can be used against you.',
    content: `Write a complaint to {{company | text:required}} about this: {{what_happened | textarea:required}}

Order number, dates, names of people I spoke to: {{references | textarea}}
What I want: {{demand | text:required:placeholder="refund of 84 euros, repair, an apology"}}
By when: {{deadline | text:default="14 days from today"}}

First paragraph: what I bought or agreed, when, and what is wrong, in three sentences. Second: what I have already tried. Third: the demand with its date, and the next step I will take if it passes. Keep to what can be proved; no threats beyond that step and no sarcasm. Put the references in the subject line.

Afterwards list the documents that I should attach.`,
  },
  {
    slug: 'plain-language-rewrite',
    title: 'Put officialese into plain language',
    description: 'Sentences under twenty words, verbs instead of nouns, duties and deadlines kept exact.',
    content: `Rewrite the text below so that a reader with {{level | select:options=["eight years of school","average reading skills","a second language they are learning"]:default="average reading skills"}} understands it at the first reading.

Rules: one thought a sentence, under 20 words; the person who acts is the subject; verbs instead of nouns ending in -tion; a technical word only where it has legal weight, explained once in brackets. Duties stay duties: keep the difference between must, should and may, and keep every amount and deadline as it is.

Show the result, then a table of sentences whose legal meaning you are unsure you preserved: original, rewrite, what to check with a lawyer.

Text:
{{text | textarea:required}}`,
  },
  {
    slug: 'short-story-from-constraint',
    title: 'Short story from a constraint',
    description: 'A complete small story built on a rule, not on a theme.',
    content: `Write a short story of about {{words | number:min=300:max=2000:default=800}} words.

It happens in {{place | text:required:placeholder="a ferry terminal at night"}} within one hour. The main character wants {{want | text:required:placeholder="to return a borrowed key"}} and does not say so until the last third. One object appears three times and means something different each time.

Constraint: {{constraint | select:options=["no character is named","nobody speaks","told backwards","only what a camera could see","one sentence per paragraph"]:default="only what a camera could see"}}.

Past tense, close to one person. No dream, no twist that cancels what came before, no moral. End on an action, not on a thought. Give the story a title of at most four words.`,
  },
  {
    slug: 'edit-like-a-copy-editor',
    title: 'Copy-edit with reasons',
    description: 'Corrections in a table with the rule behind each, meaning untouched.',
    pro: true,
    content: `Copy-edit the text below for {{variety | select:options=["American English","British English","Australian English"]:default="American English"}}. You correct; you do not rewrite.

Pass 1, errors: spelling, grammar, agreement, punctuation, wrong words, broken references. Pass 2, consistency: capitals, hyphens, numbers, names, tense. Pass 3, facts that contradict each other inside the text.

Answer with:
A. The corrected text in full.
B. A table: original words, correction, reason in at most eight words. One row a change, in order.
C. Queries to the author: sentences that can be read in two ways, and claims that do not fit another sentence.

Leave voice, dialect in dialogue and deliberate fragments alone. If a sentence is only ugly, say so under C instead of changing it.

House rules to follow: {{house_rules | textarea}}
Text:
{{text | textarea:required}}`,
  },
  {
    slug: 'toast-with-a-true-story',
    title: 'A toast with one true story',
    description: 'Ninety seconds that are about the person, not about the speaker.',
    content: `Write a toast for {{occasion | text:required:placeholder="my sister's wedding"}}, to be spoken in {{seconds | number:min=40:max=240:default=90}} seconds at two words a second.

The person: {{person | text:required}}
A thing that really happened: {{story | textarea:required}}
What it shows about them: {{meaning | text}}
Who is listening: {{guests | text}}

Begin inside the story, without a greeting. One laugh at my own cost is welcome, none at theirs. Nothing that needs to be explained to grandparents or children. End with a wish that can be said with a raised glass, in at most twelve words.

Mark pauses with a slash, and tell me which sentence to learn by heart.`,
  },
  {
    slug: 'status-report-in-five-lines',
    title: 'Status report in five lines',
    description: 'For a reader who has one minute and must know whether to worry.',
    content: `Make a status report from my raw notes for {{reader | text:default="my manager's manager"}}.

Line 1: the state in one word (on track, at risk, off track) and the reason in one sentence.
Line 2: what was finished since {{since | text:default="last week"}}, as results and not as activity.
Line 3: what comes next, with dates.
Line 4: the biggest risk, how likely it is, and what is being done about it.
Line 5: the one decision or help that I need, from whom, by when. "None" is a good answer.

Keep each line under 35 words. If the notes sound worse than the state I claim, say so before the report.

Notes:
{{notes | textarea:required}}`,
  },
  {
    slug: 'interview-to-article',
    title: 'Interview transcript to article',
    description: 'A readable piece in which every quotation can be found in the transcript.',
    pro: true,
    content: `Write an article of about {{words | number:min=400:max=2500:default=900}} words from the interview transcript below for readers of {{publication | text:required}}.

Step 1: list the five most surprising or useful things the person says, each with the line it comes from. Step 2: choose one as the thread and say why. Step 3: write.

Quotations are verbatim, with only stumbles removed; shorten with an ellipsis and never join two answers into one. Paraphrase what is merely informative. Put the setting and the person in the first 80 words, the tension by word 150, and the background after that. Explain every name that the readers will not know.

Finish with: a headline under 60 characters, a standfirst under 30 words, and a list of statements of fact that an editor should check before printing.

Transcript:
{{transcript | textarea:required}}`,
  },
  {
    slug: 'feedback-someone-can-use',
    title: 'Feedback that someone can use',
    description: 'What was seen, what it caused, what to try: in words you could say to their face.',
    content: `Help me to give feedback to {{person | text:required:placeholder="a new colleague"}} about this: {{observation | textarea:required}}

Sort what I wrote into what I saw or heard, what it caused, and what I assume about motives. Drop the third, and tell me what you dropped.

Then write what I will say, in under 150 words: the situation with its date, the behavior, its effect on me or the work, a question that invites their view, and one thing to try next time that can be observed. If there is something good worth repeating, name it as concretely as the rest; do not wrap the criticism in it.

Add two replies that they might give, one hurt and one in denial, and a sentence with which I could go on.`,
  },
  {
    slug: 'translate-for-the-ear',
    title: 'Translate for the ear',
    description: 'A translation that sounds written in the target language, with the hard choices shown.',
    content: `Translate the text below into {{language | text:required:placeholder="Spanish of Mexico"}} for {{use | select:options=["a website","a letter","a poster","dialogue on stage","a contract"]:default="a website"}}.

Translate what is meant. Idioms become idioms, units and dates take the local form, names stay. Match the register: if the original is curt, be curt. Do not explain inside the text and do not soften it.

After the translation, list up to six places where something was lost or where you had to choose, each with the original words, your choice, and one alternative. If the text plays on a word, offer a solution of your own and say what it gives up.

Text:
{{text | textarea:required}}`,
  },
  {
    slug: 'product-manual-step',
    title: 'Instructions that work the first time',
    description: 'Numbered steps with what you see after each, tested against a beginner.',
    content: `Write instructions for this task: {{task | text:required:placeholder="replace the filter of a coffee machine"}}. The reader is {{reader | text:default="doing it for the first time, alone"}}.

What I know about it:
{{details | textarea:required}}

Start with what is needed, how long it takes, and the one mistake that costs money or hurts. Then numbered steps: one action each, verb first, followed by what the reader now sees or hears if it worked. Put warnings before the step they belong to. At most nine steps; split the rest into a second part.

Then read your text as the reader and list every point at which you would have to guess. Ask me about those instead of filling them in.`,
  },
  {
    slug: 'grant-application-paragraphs',
    title: 'Grant application, section by section',
    description: 'Need, plan, budget logic and measures, each answering what the reviewer scores.',
    pro: true,
    content: `Draft these sections of a grant application to {{funder | text:required}}: need, goals, activities, measures of success, sustainability.

The project: {{project | textarea:required}}
The call for proposals, or its scoring criteria: {{criteria | textarea:required}}
Amount and period: {{budget | text}}

For each section, first quote the criterion it answers and its points. Then write at most {{words | number:min=80:max=500:default=200}} words in the funder's own vocabulary, without copying sentences. Need: people and figures before institutions. Goals: who, what change, how much, by when. Activities: month by month. Measures: what is counted, by whom, with which baseline. Sustainability: what goes on when the money ends and who pays.

Use [figure needed] instead of inventing a number. End with the three weakest points a reviewer would attack and how to strengthen each.`,
  },
  {
    slug: 'newsletter-from-links',
    title: 'Newsletter from a week of links',
    description: 'A short editorial thread and items that say why each matters.',
    content: `Make an issue of a newsletter for {{readers | text:required}} from the material below.

Choose the three to six items that change what these readers could do or think this week; name the rest as dropped, with a reason in five words. For each chosen item: a line in bold that states the news, two to three sentences on what happened, and one sentence that begins with "For you:".

Open with 60 to 90 words that connect at least two items; if nothing connects them, say what the week lacked. Close with one question that readers can answer by reply. Summarise only what I pasted and keep the links with their items.

Tone: {{tone | select:options=["dry and precise","friendly","opinionated"]:default="friendly"}}.
Material:
{{material | textarea:required}}`,
  },
  {
    slug: 'study-notes-with-questions',
    title: 'Study notes you can test yourself with',
    description: 'A text as notes, cards and an exam question, with references to its passages.',
    content: `Make study material from the text below for an examination in {{course | text:required}}.

1. Structure: the argument in at most ten lines, as a nested list, with the paragraph or page in brackets.
2. Terms: each with a definition in the author's sense and one sentence on what it is often confused with.
3. Cards: {{cards | number:min=5:max=40:default=15}} question and answer pairs as a table, most of them about why and how; none that can be answered by copying a word.
4. One examination question that needs two sections of the text at once, with an outline of a very good answer.
5. What the text does not prove, though it sounds as if it did.

Use nothing from outside the text; mark with "own remark" where you must.

Text:
{{text | textarea:required}}`,
  },
  {
    slug: 'dialogue-polish',
    title: 'Make dialogue sound spoken',
    description: 'Two people who want different things and do not answer each other too neatly.',
    pro: true,
    content: `Revise this scene so that the dialogue carries it.

Who speaks, and what each of them wants but does not say: {{characters | textarea:required}}
Setting and period: {{setting | text}}

Give each speaker a habit of speech that a reader could recognize without the name: length, rhythm, favourite evasion. Let at least two replies miss the question on purpose. Cut greetings, names in direct address and sentences that tell the other what both know. Keep "said"; replace adverbs by an action only where the action says more. The plot and the last line stay.

After the scene, show for each speaker three lines before and after, with the reason for the change.

Scene:
{{scene | textarea:required}}`,
  },
  {
    slug: 'obituary-with-care',
    title: 'Obituary from family memories',
    description: 'A life in order, with small true things in place of praise.',
    content: `Write an obituary of {{name | text:required}} for {{where_published | select:options=["a local newspaper","a funeral service","a company's intranet","friends by email"]:default="a local newspaper"}}.

Dates, places, family: {{facts | textarea:required}}
What people remember: {{memories | textarea:required}}

Begin with who died, when and where, and what he or she was to the place. Tell the life in order, but stop at two moments and show them. Prefer a habit, a saying or an object to an adjective; "she never let anyone carry her bag" says more than "independent". Name survivors as the family would. Leave the cause of death out unless the facts give it for publication.

{{words | number:min=120:max=700:default=300}} words. List what you were unsure about, so that the family can decide.`,
  },
  {
    slug: 'research-brief-from-sources',
    title: 'Research brief from pasted sources',
    description: 'What the sources agree on, where they differ, and how far each can be trusted.',
    pro: true,
    content: `Write a research brief on this question: {{question | text:required}}

Use only the sources that I paste, numbered as they come. Every statement carries its number in square brackets; a statement without one is yours and must begin with "Inference:".

Form:
- Answer in three sentences, with your confidence (high, medium, low) and the reason for it.
- What the sources agree on.
- Where they disagree: who says what, and which difference in method, date or interest could explain it.
- Quality of each source in one line: kind, date, who paid, what it cannot show.
- What is not answered by any of them, and the kind of source that would answer it.

Do not average a disagreement away. Quote at most 20 words at once.

Sources:
{{sources | textarea:required}}`,
  },
];
