import type { CuratedEntry } from './prompt.ts';

/** Code: reviews, tests, queries, design, operation. */
export const programming: CuratedEntry[] = [
  {
    slug: 'review-a-diff',
    title: 'Review a diff for bugs first',
    description: 'Findings by severity with the line, the failing input and a fix; style last.',
    content: `Review this change. Purpose, as its author states it: {{purpose | text:required}}

Look in this order: wrong results, lost or corrupted data, races, security, error handling, performance at ten times the present load, tests that would pass without the change, names. Say nothing about formatting.

For each finding give the severity (blocker, should fix, remark), the line, an input or sequence of events that makes it fail, and the smallest fix as code. If you are not sure, say what you would need to see. Three certain findings are worth more than ten possible ones.

End with one thing the author did well enough to repeat, and whether you would approve.

Diff:
{{diff | textarea:required}}`,
  },
  {
    slug: 'find-the-cause-of-a-bug',
    title: 'Find the cause of a bug',
    description: 'Hypotheses ranked by evidence, and the cheapest experiment that separates them.',
    content: `Help me to find the cause of a bug. Do not propose a fix until the cause is clear.

What should happen: {{expected | text:required}}
What happens: {{actual | textarea:required}}
Since when, how often, under which conditions: {{conditions | textarea}}
What I tried: {{tried | textarea}}
Code, logs, stack trace:
{{evidence | textarea:required}}

Give me: the facts that any explanation has to account for; up to four hypotheses, each with what in the evidence speaks for and against it; and for the best two an experiment of under ten minutes whose outcome tells them apart, with the exact command or line to add. Say what result you expect for each. Ask for at most two missing pieces of information.`,
  },
  {
    slug: 'unit-tests-for-a-function',
    title: 'Unit tests that could fail',
    description: 'Cases from the contract of a function, with edges, and a mutation that each would catch.',
    content: `Write tests for the code below with {{framework | text:required:placeholder="vitest, pytest, JUnit 5"}}.

First state the contract that you infer: inputs, outputs, errors, side effects. List what is ambiguous and which reading you test.

Then the tests: one behavior each, named as a sentence; ordinary case first, then borders (empty, one, many, largest, negative, non-ASCII, time zones, whatever applies), then failures. Use real values rather than mocks wherever the code allows. No test that repeats the implementation.

Put a comment above each test that names a plausible wrong change it would catch. At the end list behavior that cannot be tested without changing the code, with the smallest change that would allow it.

Code:
{{code | textarea:required}}`,
  },
  {
    slug: 'sql-from-question',
    title: 'SQL from a question',
    description: 'A query with its assumptions, a check of its result, and the index it needs.',
    content: `Write a query in {{database | select:options=["PostgreSQL","MySQL","SQLite","SQL Server","BigQuery"]:default="PostgreSQL"}} that answers: {{question | textarea:required}}

Tables, with columns, types and keys:
{{schema | textarea:required}}

State your assumptions first, above all how ties, nulls, duplicates and time zones are treated. Then give the query with common table expressions named after what they hold, no "select *", and comments only where a reader would go wrong.

Then: a second, independent query that would show if the first counts something twice; the expected shape of the result with two made-up rows; and the index that would help at ten million rows, with the reason. If the tables cannot answer the question, say what is missing instead of approximating.`,
  },
  {
    slug: 'explain-unfamiliar-code',
    title: 'Tour of unfamiliar code',
    description: 'From the outside in: what it is for, how data flows, where it will surprise you.',
    content: `Explain this code to a {{reader | select:options=["developer new to the codebase","developer new to the language","technical manager"]:default="developer new to the codebase"}}.

1. In two sentences: what it is for and who calls it.
2. The path of one typical input from entry to result, naming functions and the shape of the data at each step.
3. State: what is kept where, who changes it, what happens when two callers come at once.
4. Four places where the code does something that a reader would not expect, with line references.
5. What to read next and what to leave for later.

Quote lines when you refer to them. Distinguish what the code shows from what you guess about its history.

Code:
{{code | textarea:required}}`,
  },
  {
    slug: 'refactor-in-safe-steps',
    title: 'Refactor in steps that each keep the tests green',
    description: 'A sequence of small commits with a message, a check and a way back for each.',
    pro: true,
    content: `Plan a refactoring of the code below toward this goal: {{goal | text:required:placeholder="separate pricing from the HTTP handler"}}

Behavior must not change. Tests that exist: {{tests | text:default="none"}}.

Begin with characterisation tests where the tests are too thin to catch a mistake; say exactly which behavior is unprotected. Then give the steps as commits. For each commit: its imperative subject line, what moves or changes (with code), the check that shows nothing broke, and whether it can be released on its own. Keep every commit under {{lines | number:min=20:max=400:default=80}} changed lines. Order them so that stopping after any one leaves the code better than before.

Name the step with the highest risk and how to reverse it. If the goal is not worth its cost, say so and show the two steps that bring most of the benefit.

Code:
{{code | textarea:required}}`,
  },
  {
    slug: 'regex-with-proof',
    title: 'Regular expression with proof',
    description: 'A pattern explained piece by piece, with strings it takes and strings it refuses.',
    content: `Write a regular expression for {{flavor | select:options=["JavaScript","Python","PCRE","Go RE2","POSIX extended"]:default="JavaScript"}} that matches: {{what | textarea:required}}

Examples that must match, one a line:
{{positive | textarea}}
Examples that must not:
{{negative | textarea}}

Give the pattern as I would paste it, with flags. Explain it piece by piece in a table. Then test it in your head on my examples and on six more that you choose to break it, among them an empty string, a very long one, a line break and a non-ASCII letter; show the outcome of each.

Say whether an attacker could make it slow, and rewrite it if so. If a few lines of code would be clearer than the pattern, show them as well.`,
  },
  {
    slug: 'api-design-review',
    title: 'Review an HTTP API before it ships',
    description: 'Names, errors, retries, paging and change: what clients will suffer from.',
    content: `Review this draft of an HTTP API as the person who will have to write clients for it.

Draft (routes, bodies, answers):
{{draft | textarea:required}}
Who calls it: {{clients | text:required:placeholder="our app, partners"}}

Go through one realistic session of a client, call by call, including a lost answer, a retry, an expired login and a second device. Note where the client must guess.

Then check: resources named by nouns of the business; one form of error with a code for machines and a text for people; what is safe to send twice; paging that survives insertion; times with zones, money without floats; limits and what the answer says when they are met; how a field is added or retired.

Answer with a table: problem, who is hurt, proposal with an example request. Worst first, at most twelve.`,
  },
  {
    slug: 'commit-message-from-diff',
    title: 'Commit message from a diff',
    description: 'A subject that states the effect, a body that gives the reason.',
    content: `Write a commit message for the diff below.

Why I made the change: {{why | text:required}}
Ticket or link: {{ticket | text}}

Subject: imperative, at most 60 characters, the effect on whoever uses the code rather than a list of files, no full stop. Body: wrapped at 72 columns; the situation before, the reason, and anything that a reader of the diff cannot see (an alternative that was tried, a limit that stays, a step needed at deployment). Leave the body out if the subject says everything.

If the diff holds two unrelated changes, say so and write two messages with the files of each. Style: {{style | select:options=["plain","Conventional Commits"]:default="plain"}}.

Diff:
{{diff | textarea:required}}`,
  },
  {
    slug: 'threat-model-a-feature',
    title: 'Threat model of a feature',
    description: 'Assets, boundaries and abuse cases with tests, sized to one feature and one afternoon.',
    pro: true,
    content: `Make a threat model for this feature: {{feature | textarea:required}}

Architecture, data stores, who signs in how: {{architecture | textarea:required}}

1. What is worth stealing, changing or stopping, and to whom.
2. Borders of trust, as a list "from -> to: what crosses".
3. Abuse cases, at most fifteen. For each: the attacker (stranger, user, other tenant, insider, supplier), the steps as requests or events, what they gain, likelihood and damage as low, medium or high, and what stops them today.
4. For every case that is not stopped: the cheapest control that works on the server, and a test that fails until it exists, written as a request with the expected answer.
5. What you accept and why.

Include the dull ones: another person's id in the address, the same request twice, ten thousand at once, very long and very strange input, a webhook from somebody else. Do not recommend products.`,
  },
  {
    slug: 'shell-script-hardening',
    title: 'Shell script that fails safely',
    description: 'A script for a task, strict about errors, quoting and running twice.',
    content: `Write a {{shell | select:options=["bash","POSIX sh","PowerShell"]:default="bash"}} script that does this: {{task | textarea:required}}

It runs on {{system | text:default="Ubuntu, started by cron without a terminal"}}.

Requirements: stops at the first error with a message that names the step; quotes every expansion; treats file names with blanks, quotes and leading hyphens; leaves no half-written file behind; can run twice in a row, and two at once, without harm; removes its temporary files however it ends; has --dry-run and --help; writes nothing secret to the log. No tool beyond those of the base system unless you name it at the top and check for it.

After the script, show five commands that test it, with expected output, including one in which it must fail.`,
  },
  {
    slug: 'dockerfile-slim-and-cached',
    title: 'Dockerfile that builds fast and runs small',
    description: 'Stages, cache order, a user without rights and a health check, with reasons.',
    content: `Write a Dockerfile for this application: {{application | textarea:required:placeholder="language, package manager, build command, start command, port"}}

Aims in this order: the image runs without root rights and with a read-only file system; a change of source code does not reinstall dependencies; the final stage holds no compiler, cache or secret; the same commit gives the same image (pinned base by digest, lock file respected); signals reach the process.

Add a .dockerignore, a health check that tests more than an open port, and the command with which to run it locally with the right limits.

Explain each stage in one line, estimate the size of the final image, and say what would break on {{platform | select:options=["linux/amd64 only","linux/amd64 and linux/arm64"]:default="linux/amd64 and linux/arm64"}}.`,
  },
  {
    slug: 'slow-query-diagnosis',
    title: 'Diagnose a slow query from its plan',
    description: 'Where the time goes, why the planner chose it, and what to change first.',
    pro: true,
    content: `Diagnose this slow PostgreSQL query from its plan.

Query:
{{query | textarea:required}}
EXPLAIN (ANALYZE, BUFFERS):
{{plan | textarea:required}}
Tables with row counts, indexes, how often they change:
{{tables | textarea}}

Read the plan from the inside out. Name the node where most of the time is really spent (own time, times its loops), the first node at which estimated and actual rows differ by more than ten times, and what that misestimate led to. Say how much came from disk.

Then list up to four changes in order of effect divided by risk: rewriting, an index (exact statement, its size and cost at writes), statistics, settings, a different table design. For each, the part of the plan that will look different if it works. Warn about what each makes slower. If the plan is fine and the question too big, say that.`,
  },
  {
    slug: 'migrate-schema-without-downtime',
    title: 'Schema change without downtime',
    description: 'Expand, fill, switch, contract: each step deployable and reversible.',
    pro: true,
    content: `Plan this change of a database schema while the site keeps serving: {{change | textarea:required:placeholder="split users.name into first_name and last_name"}}

Database and size: {{database | text:default="PostgreSQL, 40 million rows, 300 writes a second"}}
Deployment: {{deployment | text:default="rolling, two versions run side by side for minutes"}}

Give the phases expand, write both, fill, read new, contract. For each phase: the exact statements; which locks they take and for how long at this size; what the old and the new version of the code each read and write; how to see that it is done; how to go back, and the point after which one cannot.

The filling runs in batches: show the loop, its batch size, how it resumes after a crash, and how it yields when the site is busy. Add a query that proves both forms equal before the contract phase. Finish with the one mistake that would cause an outage.`,
  },
  {
    slug: 'readme-that-gets-run',
    title: 'README that gets a stranger running',
    description: 'What it is, one command to try it, how it fits together, how to change it.',
    content: `Write a README for this project.

What it does and for whom: {{what | textarea:required}}
Commands for install, start, test: {{commands | textarea:required}}
Layout of the repository: {{layout | textarea}}
State: {{state | select:options=["experiment","used by us","used by others"]:default="used by us"}}

Order: one sentence that says what it is; one that says what it is not; a block with which it runs from a fresh clone, and what you see then; a small real example; configuration as a table (name, meaning, default); how it is built in at most ten lines; how to run the tests and send a change; license.

No badges, no roadmap, no adjectives such as "powerful". Every command must be one I gave or follow from them; mark with [verify] what you could not know.`,
  },
  {
    slug: 'accessible-component',
    title: 'Accessible interface component',
    description: 'Native elements first, keyboard, focus, names and a test with the keyboard alone.',
    content: `Build this component in {{stack | text:default="React with TypeScript and plain CSS"}}: {{component | textarea:required:placeholder="a filter list with checkboxes that opens from a button"}}

Prefer native elements; use ARIA only for what they cannot say. Follow the matching pattern of the ARIA Authoring Practices and name it, or say that none fits.

Deliver: the code; a table of keys and what they do; where the focus goes when it opens, closes and loses the element that had it; what a screen reader says at each step, in quotes; behavior at 320 px, 200 percent zoom, reduced motion, forced colors and on touch; right-to-left.

Then a test that uses the keyboard alone and finds elements by role and name. State which requirement you could not meet and why.`,
  },
  {
    slug: 'port-between-languages',
    title: 'Port code between languages',
    description: 'Idiomatic in the target, with every difference in behavior listed.',
    content: `Port this code from {{source_language | text:required}} to {{target_language | text:required}}.

The result should look as if it had been written there from the start: its naming, error handling, iteration, standard library. Same behavior, including for empty input, overflow, division, string length and sorting order, time zones, and errors in the middle.

Before the code, list each construct that has no direct equivalent and what you chose. After it, list every remaining difference in behavior that a caller could notice, however small: integer width, floating point formatting, order of maps, laziness, encoding, exceptions against values.

Add a table of six inputs with the output of both versions, chosen where they are most likely to differ. No dependency unless I approve: {{allowed | text:default="standard library only"}}.

Code:
{{code | textarea:required}}`,
  },
  {
    slug: 'incident-postmortem',
    title: 'Postmortem from a timeline',
    description: 'What happened, why it could, and changes that would have helped, without blame.',
    content: `Write the postmortem of an incident from this raw timeline:
{{timeline | textarea:required}}

Impact as far as known: {{impact | text:required:placeholder="who, what, how long, how many"}}

Sections: summary in four sentences for people outside the team; timeline in UTC with detection, first action, mitigation and end marked; impact in figures; what made it possible (several conditions, none of them a person); why it was noticed when it was; what went well; what was luck.

Then actions: at most seven, each with an owner's role, a due date, and which of the conditions it removes or which minute of the timeline it would have saved. Prefer those that make the failure impossible over those that ask people to be careful. Use roles for names. Put [unknown] where the timeline is silent.`,
  },
  {
    slug: 'estimate-from-requirements',
    title: 'Break a requirement into tasks',
    description: 'Slices that can each be shown, questions first, ranges instead of points.',
    content: `Break this requirement into tasks for {{team | text:default="two developers"}}: {{requirement | textarea:required}}

What exists already: {{existing | textarea}}

First, the questions whose answers would change the plan, at most five, each with what you assume until I answer. Then vertical slices in order: each ends with something a user can see, and the first is the thinnest path through everything. For each slice: what is in, what is deliberately left out, how one can tell that it is done (two to four checks), and a range in days from "if all goes well" to "if the known risk happens", naming that risk.

Close with what can be dropped to save a third of the time and what must not be, and with the single assumption that would hurt most if it were wrong.`,
  },
  {
    slug: 'property-based-tests',
    title: 'Properties for property-based tests',
    description: 'Laws that the code must obey for any input, with generators that find trouble.',
    pro: true,
    content: `Find properties for property-based tests of this code and write them with {{library | select:options=["fast-check","Hypothesis","jqwik","proptest","QuickCheck"]:default="fast-check"}}.

Look for: round trips; things that must not change; doing it twice; order that must not matter; a slow and obvious version to compare with; relations between the output of related inputs; what must never happen (crash, loss, exceeding a limit).

For each property: a sentence a customer would agree with, the generator, the test, and a bug it would find that examples would miss. Build the generators so that they reach borders often: empty, duplicates, extreme numbers, combining characters, deep nesting. Avoid filtering away most of the inputs.

Name properties that look right but are false for this code, with a counterexample.

Code:
{{code | textarea:required}}`,
  },
  {
    slug: 'dependency-upgrade-plan',
    title: 'Plan a major upgrade of a dependency',
    description: 'Breaking changes that touch you, an order of work, and a way to stop halfway.',
    content: `Plan the upgrade of {{dependency | text:required}} from {{from_version | text:required}} to {{to_version | text:required}}.

Release notes or migration guide:
{{notes | textarea:required}}
How we use it (imports, calls, configuration):
{{usage | textarea:required}}

Make a table of breaking changes from the notes: change, do we use it (yes with the place, no, cannot tell), what to do, can it be done before the upgrade. Use only the notes for what changed; say where they are silent.

Then the order of work: preparations that are safe on the old version, the switch itself, cleaning up. Behavior that changes without an error comes first in the testing plan, with a check for each. State the earliest point at which we would notice a failure in production and how to go back.`,
  },
];
