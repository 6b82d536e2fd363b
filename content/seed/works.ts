/** What the seeded writer was asked for, and what it wrote: between 300 and 500 words, as `short` promises. */
export const seedText = {
  prompt:
    'A blog post for our neighborhood page: what a repair café needs before its first evening. Concrete, no advertising, for people who would like to start one.',
  type: 'blog',
  tone: 'casual',
  length: 'short',
  content: `# What a repair café needs before its first evening

A repair café is a room, a few people who like to open things, and visitors with something broken under the arm. Ours has run for two years. Most of what we bought in the first month we have never used, and most of what we needed we had forgotten.

## The room decides more than the tools

Take a room with tables that may get scratched, daylight if you can, and two circuits for electricity. One kettle and one soldering iron on the same fuse end the evening early. A door to the street matters as well: people bring vacuum cleaners, and nobody carries one up to the third floor twice.

## Four people are enough

You need one who knows electricity, one who sews, one who is good with wood and glue, and one who repairs nothing. The fourth is the most important. That person sits at the door, writes down who came with what, and sends people home with a time instead of leaving them in a queue. Without a person at the door, the loudest visitor is served first and the shy ones leave with their toaster still broken.

## What to buy, and what not to

Buy a good set of screwdrivers with the odd shapes, a multimeter, a label printer and a box of fuses. Ask for the rest: someone on your street owns a sewing machine that has not run since spring. Do not buy spare parts in advance. We guessed, and guessed wrong.

## Say what you do not do

We do not touch microwaves, gas or anything that has been in water. That sentence stands on the poster, so nobody has to say it to a disappointed face.

## After the evening

Count three numbers: what came, what was repaired, what was given up on. We repair about six of ten things. It is a better invitation than any slogan, and it tells you what to learn next.`,
  /** The passage that was to be made shorter, and the proposal for it. */
  passage:
    'You need one who knows electricity, one who sews, one who is good with wood and glue, and one who repairs nothing. The fourth is the most important. That person sits at the door, writes down who came with what, and sends people home with a time instead of leaving them in a queue. Without a person at the door, the loudest visitor is served first and the shy ones leave with their toaster still broken.',
  shorter:
    'You need one who knows electricity, one who sews, one who is good with wood and glue, and one who repairs nothing. The fourth is the most important. That person sits at the door, writes down who came with what, and gives each a time. Without them, the loudest visitor is served first.',
};

/** A screenplay of our own, with the wish that it answers. */
export const seedScript = {
  scene:
    'A night ferry in fog. The radio operator hears a ship answer that was scrapped years ago. Her captain asks her to switch it off.',
  style: 'thriller',
  minutes: 2,
  characters: 'Edda, 30s, radio operator; Captain Rusk, 60s',
  content: `Title: Channel Sixteen

INT. FERRY BRIDGE - NIGHT

Fog against every window. Two green screens, a cold cup of tea. EDDA, 30s, turns the dial of an old radio by a hair.

EDDA
Motor vessel on my port side, this is the Halvard. Say your name, please.

Static. Then, very calm:

VOICE (V.O.)
Halvard, this is the Signe. We see your lights.

CAPTAIN RUSK, 60s, looks up from the chart. He has heard it too.

RUSK
Switch it off.

EDDA
She is half a mile away, Captain.

RUSK
(quietly)
I watched them cut the Signe up for scrap. I signed for the bell.

Edda looks at the radar. The screen is empty.

EXT. FERRY DECK - CONTINUOUS

The foghorn. Passengers asleep in the lit windows. Far off, where nothing is, a ship's bell answers.

INT. FERRY BRIDGE - CONTINUOUS

RUSK
Eleven years. Nobody rang that bell but me.

VOICE (V.O.)
Halvard, turn ten degrees to starboard. Now.

Edda's hand is on the wheel. Rusk does not move.

EDDA
Captain?

RUSK
Ten degrees. Starboard.

The ferry leans. Out of the fog, where they would have been, slides the black side of an unlit freighter.

CUT TO:

EXT. FERRY DECK - DAWN

Clear water. Edda at the rail, the radio under her arm, switched off. It crackles all the same.

> FADE OUT.
`,
};

/** Pictures that were asked for. */
export const seedPictures = [
  {
    prompt: 'A teal ceramic bowl on a white table, morning light from the left',
    size: '1024x1024',
    count: 1,
  },
  { prompt: 'Snow on a forest road at night, one yellow street lamp', size: '768x512', count: 2 },
] as const;

/** A prompt of a person's own. */
export const seedPrompt = {
  id: '6d1f5a10-0a51-4c52-9b1e-5d1d6f0a0031',
  title: 'Minutes from loose notes',
  description:
    'Turns the notes of a meeting into decisions, tasks with names and dates, and what stayed open.',
  content: `Turn these notes of a meeting into minutes:

{{notes | textarea:required}}

Write three parts: what was decided, who does what until when (as a table), and what stayed open. Use only what stands in the notes. Where a name or a date is missing, write "missing" instead of a guess. Language: {{language | text:default="English"}}.`,
  category: 'writing',
} as const;
