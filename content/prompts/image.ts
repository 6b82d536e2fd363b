import type { CuratedEntry } from './prompt.ts';

/** Pictures: prompts for image generators, and prompts that write and plan such prompts. */
export const image: CuratedEntry[] = [
  {
    slug: 'product-photo-on-surface',
    title: 'Product photo on a natural surface',
    description: 'A calm studio image with one light, true materials and room for text.',
    content: `Photograph of {{product | text:required:placeholder="a matte black thermos bottle"}} standing on {{surface | text:default="pale travertine"}}, three-quarter view at the height of the object, 85 mm lens look, focus on the front edge and label area left blank.

One large soft light from the left, a white reflector opposite, soft shadow falling to the right. Background: {{background | text:default="plain warm gray, slightly darker at the top"}}.
Props, two at most, out of focus, from the world in which the product is used: {{props | text}}

Real proportions and material: visible grain, seams and edges. Leave the {{empty_side | select:options=["left","right","upper"]:default="right"}} third empty for text. No lettering, no logo, no hands, no floating objects.`,
  },
  {
    slug: 'editorial-portrait',
    title: 'Editorial portrait of an invented person',
    description: 'A believable person in their place of work, in window light.',
    content: `Editorial portrait of an invented person: {{person | text:required:placeholder="a woman of about sixty who repairs violins"}}, in {{place | text:required:placeholder="her workshop under the roof"}}, looking {{gaze | select:options=["into the camera","out of the window","at the work in their hands"]:default="at the work in their hands"}}.

Half figure, slightly below eye level, 50 mm lens look, aperture about f/2.8 so that tools behind stay readable as shapes. Daylight from a single window, no fill, shadows kept open. Clothes that have been worn at this work. Natural skin with lines and pores, no make-up look, asymmetric face, ordinary hair.

Muted palette with a single strong color: {{accent | text:default="the red of a cloth"}}. Mood: concentrated, unposed. No resemblance to a known person, no text, no watermark.`,
  },
  {
    slug: 'storybook-illustration',
    title: 'Storybook illustration with a hidden detail',
    description: 'A scene for a double page, drawn by hand, with something to find.',
    content: `Illustration for a children's picture book, double page: {{scene | text:required:placeholder="a fox and a heron waiting for the night bus"}}.

Medium: {{medium | select:options=["gouache on rough paper","colored pencil","ink and watercolor","linocut in three colors","cut paper"]:default="gouache on rough paper"}}. Large quiet shapes first, detail only around the characters. Eye level of a child. Characters expressive by posture rather than by large eyes. Light: {{light | text:default="last light of the day, one warm street lamp"}}.

Small hidden detail for attentive readers: {{hidden | text:default="a mouse with its own tiny suitcase"}}, not near the middle. Nothing important within the middle fold. Palette of five colors. No text, no frame, no glossy digital look.`,
  },
  {
    slug: 'flat-editorial-concept',
    title: 'Editorial illustration for an abstract idea',
    description: 'One visual metaphor, three colors, readable at the size of a stamp.',
    content: `Flat editorial illustration that explains this idea without words: {{idea | text:required:placeholder="saving energy in old houses"}}.

One metaphor: {{metaphor | text:placeholder="leave empty and the picture finds one"}}
If none is given, join two everyday objects into one whose outline is clear at 64 pixels. Single subject, centered slightly low, generous empty space around it.

Style: screen print, slight misregistration, {{colors | text:default="ink black, cream, and one strong yellow-green"}}, no gradients, no outlines thinner than the smallest shape. Geometry simple, one deliberate irregularity that makes it human. No people with bent limbs as in stock graphics, no light bulbs, gears, rockets, handshakes or text.`,
  },
  {
    slug: 'isometric-room',
    title: 'Isometric room that shows who lives there',
    description: 'A cutaway interior full of clues, consistent in scale and light.',
    content: `Isometric cutaway of a room without its two front walls: the {{room | text:default="study"}} of {{inhabitant | text:required:placeholder="a retired ship's cook who learns the accordion"}}.

At least twelve objects that tell about this person, arranged as they are used and not lined up: something unfinished, something repaired, something from another country, something hidden from visitors. Nobody is in the room, but somebody has just left it.

True isometric projection, all verticals parallel, equal scale front to back. {{time | select:options=["Morning light","Noon","Evening lamp light","Night with moonlight"]:default="Evening lamp light"}} from one source with consistent shadows. Style: miniature model of painted wood and paper, soft focus at the far edges. Plain background, small drop shadow below the floor slab. No text.`,
  },
  {
    slug: 'botanical-plate',
    title: 'Botanical plate in the old style',
    description: 'A plant with its parts, as a naturalist would have drawn it.',
    content: `Botanical plate of {{plant | text:required:placeholder="a dog rose"}}: a branch with leaves in different positions, bud, open flower and fruit, and below it, smaller, a cross-section of the flower, a single seed and a leaf from beneath.

Manner of hand-colored copper engravings of about {{period | select:options=["1750","1830","1900"]:default="1830"}}: fine parallel hatching, thin watercolor over it, paper slightly toned, edges unevenly cut. Correct anatomy: number of petals, arrangement of leaves, thorns or hairs as the species has them. One leaf eaten by an insect.

Composition fills the sheet diagonally with air at the corners. Light from the upper left. No lettering or numbers: I will set them. No decorative frame.`,
  },
  {
    slug: 'poster-without-text',
    title: 'Poster image with room for type',
    description: 'A strong silhouette and a quiet field where the words will go.',
    content: `Picture for a poster announcing {{event | text:required:placeholder="a jazz evening in a former swimming pool"}}, upright 2:3, without any lettering.

One large silhouette that joins two things of the event: {{motif | text:placeholder="a double bass and a diving board"}}
Readable from ten meters in under a second. Keep the {{text_field | select:options=["upper third","lower third","left half"]:default="lower third"}} calm and even in tone so that type of two sizes can stand on it.

Style: {{style | select:options=["Swiss poster of the fifties","Polish poster school","Japanese woodblock","cut-out collage","photogram"]:default="Polish poster school"}}. Three flat colors and the paper: {{colors | text:default="deep blue, vermilion, bone"}}. Grain of an offset print. No small details, no frame, no signature.`,
  },
  {
    slug: 'architectural-visual',
    title: 'Architectural view at human height',
    description: 'A building in its weather, with people of the place and honest materials.',
    pro: true,
    content: `Architectural visualisation of {{building | text:required:placeholder="a small library of rammed earth and timber"}} in {{site | text:required:placeholder="a suburb at the edge of a forest"}}, seen from {{viewpoint | select:options=["the pavement across the street","the entrance","the garden behind","a neighbor's upper window"]:default="the pavement across the street"}} at 1.60 m height, two-point perspective with true verticals, 28 mm lens look.

Season and weather: {{weather | text:default="November, wet asphalt, overcast with a bright strip at the horizon"}}. Interior lights on, a little warmer than the sky. Materials as they look after five winters: streaks under sills, darker base, moss in joints. Construction must be believable: supports where loads are, gutters, door handles, a place for bicycles.

People: three to five, ordinary, going about their day, none looking at the camera, one partly hidden by the frame. Planting native to the place, trees of different ages. Composition: building on the middle two thirds, foreground with a reflection, a path that leads in.

Style: quiet photograph, low contrast, fine grain, color temperature about 5,200 K. No lens flare, no birds in formation, no oversized glass, no text or logos.`,
  },
  {
    slug: 'game-item-sheet',
    title: 'Sheet of game items in one style',
    description: 'Nine objects on a grid, same light and scale, easy to cut apart.',
    pro: true,
    content: `Sheet of nine game items on a 3 by 3 grid, plain mid-gray background, equal spacing, nothing touching: {{items | textarea:required:placeholder="lantern, bent key, map case, mushroom tonic, ..."}}

World they belong to: {{world | text:required:placeholder="a flooded city that trades in bottled weather"}}

Same three-quarter view from above for all, same scale rule (each fills 70 percent of its cell), same key light from the upper left with a cool rim from the right, same soft contact shadow. Silhouettes clearly different from one another at 32 pixels. Every item shows one sign of use and one detail that only this world would have.

Style: {{style | select:options=["hand-painted with visible strokes","clean vector with two shades","low-poly with painted texture","pixel art 64 by 64"]:default="hand-painted with visible strokes"}}. Limited palette: {{palette | text:default="oxidised copper, wet slate, tallow yellow, one signal red"}}. Materials must be told apart by their highlights: metal hard, cloth none, glass double.

No frames, numbers, rarity glows, text or hands. Leave the center of the grid lines empty so that the items can be cut out automatically.`,
  },
  {
    slug: 'food-from-above',
    title: 'Food on a table, from above',
    description: 'A meal in the middle of being eaten, with daylight and crumbs.',
    content: `Photograph straight from above of {{dish | text:required:placeholder="lentil stew with lemon and parsley"}} on {{table | text:default="an old wooden table with a linen cloth pushed aside"}}, in the middle of the meal: a spoon just put down, one portion missing, a few crumbs, a hand reaching in from the {{edge | select:options=["lower","left","right","upper"]:default="lower"}} edge.

Daylight from a window on one side, soft but directional, steam only if the dish would steam. Surfaces true to the food: oil that pools, herbs cut by a knife and not by a machine, browned edges.

Composition on a diagonal with one bowl cut by the frame. Colors come from the food; dishes {{dishes | text:default="white enamel with a blue rim"}}. No text, no garnish that is not in the recipe, no perfect symmetry, no shine as if lacquered.`,
  },
  {
    slug: 'seamless-pattern',
    title: 'Seamless pattern for fabric',
    description: 'A repeat that tiles, with a rhythm that hides where it joins.',
    content: `Seamless repeating pattern, square tile, for {{use | select:options=["dress fabric","wallpaper","wrapping paper","a notebook cover"]:default="wrapping paper"}}: {{motifs | text:required:placeholder="quinces, leaves and small beetles"}}.

Half-drop repeat; motifs at three sizes in the proportion 5:3:1, turned in at least four directions so that there is no up. Distances between motifs about equal to the smallest motif; no lines or gaps that the eye could follow across tiles. Motifs cross all four edges and continue exactly on the opposite side.

Technique: {{technique | select:options=["block print","brush and ink","cut paper","fine pencil"]:default="block print"}}, flat color, slight unevenness at the edges. {{count | number:min=2:max=6:default=4}} colors: {{colors | text:default="indigo, ochre, brick, unbleached cotton"}}. No gradients, no shadows, no text.`,
  },
  {
    slug: 'logo-sketches-brief',
    title: 'Sheet of logo sketches',
    description: 'Twelve pencil ideas that differ in principle, for choosing a direction.',
    content: `Sheet of twelve small logo sketches in soft pencil on squared paper for {{company | text:required}}, which {{what | text:required:placeholder="rents tools to neighbors"}}. Marks only, no lettering.

Four rows of three, each row another principle: the thing itself simplified; two ideas joined in one outline; an abstract form from a movement or process of the trade; {{letter | text:default="the initial letter"}} built from a detail of the trade.

Each sketch about 4 cm wide, single weight of line with areas filled in, understandable in black at 16 pixels, symmetrical only if there is a reason. Some construction lines left visible, one sketch crossed out. The page photographed straight from above in even daylight.

Avoid what everybody in this trade has: {{avoid | text:default="globes, swooshes, leaves, speech bubbles, shields"}}.`,
  },
  {
    slug: 'diagram-as-picture',
    title: 'Cutaway that explains how it works',
    description: 'A machine or process opened up, in the manner of good encyclopedias.',
    pro: true,
    content: `Cutaway illustration that shows how {{subject | text:required:placeholder="a tidal mill"}} works, for readers of {{age | select:options=["8 to 12 years","13 to 16 years","adults"]:default="13 to 16 years"}}.

View: axonometric from slightly above, one side removed along a clean section whose cut faces are a single flat tint. The path of {{flow | text:required:placeholder="the water"}} can be followed from where it enters to where it leaves, by color that changes in three steps; moving parts have one consistent accent. Show the decisive moment, in which {{moment | text:required:placeholder="the basin gate closes and the wheel begins to turn"}}.

Real proportions where they matter and a single exaggeration where a part would be too small to see, placed in a circle beside it with a thin line to its place. Two small people for scale, doing what the operation needs. Surroundings only as far as they explain: where things come from and go to.

Style: ink line with flat washes, line weights in three steps (outline, section, detail), paper white, six colors. Leave clear space at eight points around the edge for labels that I will add; no letters, numbers or arrows in the picture. Mechanically plausible: gears mesh, belts have two pulleys, water does not run uphill.`,
  },
  {
    slug: 'travel-photo-off-season',
    title: 'A famous place off season',
    description: 'Travel photography without postcards: weather, traces and one stranger.',
    content: `Documentary photograph of {{place | text:required:placeholder="a seaside promenade in Brittany"}} in {{month | text:default="February"}}, when nobody visits.

35 mm lens look, standing at the side of the road, horizon straight and in the upper third. The well-known sight is only partly seen or reflected; the subject is what the season leaves behind: stacked chairs, a covered ride, faded paint, salt on glass. One person, far away, with a task.

Light: {{light | select:options=["flat gray","low sun after rain","fog","blue hour with lit windows"]:default="low sun after rain"}}. Color as on slide film of the eighties, restrained, whites slightly green. Fine grain, no vignette, no dramatic sky. Signs without readable words. Mood: patient rather than sad.`,
  },
  {
    slug: 'improve-an-image-prompt',
    title: 'Improve an image prompt',
    description: 'Finds what is left to chance, asks three questions, writes two versions.',
    givesText: true,
    content: `Improve this prompt for an image generator. Do not make a picture.

Prompt: {{prompt | textarea:required}}
Use of the picture and its format: {{use | text:placeholder="header of a website, 3:1"}}

1. Say what a generator would have to guess, in a table: subject, action, setting, viewpoint and lens, light, medium and style, color, composition and empty space, mood. Mark each as given, implied or open.
2. Ask me the three questions whose answers would change the picture most. Go on without waiting, with the answers you think best.
3. Write two versions of 60 to 110 words in one paragraph each: a faithful one, and one that takes a risk. Concrete nouns, no "stunning", "8k", "masterpiece" or names of living artists.
4. For each: one sentence on what is likely to go wrong and the words that would correct it.`,
  },
  {
    slug: 'character-turnaround',
    title: 'Character sheet with turnaround',
    description: 'One figure from four sides with expressions, consistent enough to work from.',
    pro: true,
    content: `Character sheet of {{character | text:required:placeholder="a night-shift lighthouse electrician, about forty, stout, left-handed"}} for {{medium | select:options=["an animated series","a comic","a game","a picture book"]:default="a comic"}}.

Top row: full figure from the front, three-quarter, side and back, neutral stance, same height on common guide lines, arms slightly away from the body. Bottom row, left: six heads with these expressions: resting, amused against their will, lying, exhausted, startled, proud. Bottom row, right: hands holding {{object | text:default="their most important tool"}} in use, the shoes, and the silhouette of the full figure in black.

Design rule: one dominant shape for the body ({{shape | select:options=["circle","square","triangle","pear"]:default="pear"}}), a second for details; a silhouette that cannot be confused with another character's; three things that tell of their life without words, such as a repair, a habit, a gift. Clothing with seams and pockets where they are needed, worn where it would be.

Line of even weight, flat colors with one step of shadow, light from the upper left, palette of six colors shown as swatches without text at the side. Neutral light background. The same face, proportions and clothes in every view. No lettering, no weapons unless named, no dramatic poses.`,
  },
  {
    slug: 'cover-for-a-book',
    title: 'Cover image for a novel',
    description: 'An object or a trace that promises the book without telling it.',
    content: `Picture for the cover of a novel, upright 5:8, no lettering. The book: {{book | textarea:required:placeholder="genre, place, time, conflict in three sentences"}}

Show one object, place or trace that matters in the story, at a moment before or after the decisive one; no faces, no scene from the plot. Something about it is slightly wrong, and one sees it only at the second look.

The upper {{space | select:options=["quarter","third","half"]:default="third"}} stays quiet for title and author. Works as a thumbnail of 90 pixels: one shape, one contrast. Technique: {{technique | select:options=["still life photograph","oil painting","paper collage","ink drawing","double exposure"]:default="still life photograph"}}. Palette: {{palette | text:default="from the season and place of the story"}}. No silhouettes walking away, no ravens, no cracked glass.`,
  },
  {
    slug: 'icon-set-description',
    title: 'Set of icons with one grammar',
    description: 'Twelve signs that look as if drawn by the same hand on the same day.',
    content: `Set of twelve interface icons on a 4 by 3 grid for {{product | text:required:placeholder="an app for allotment gardens"}}: {{signs | textarea:required:placeholder="harvest, water, neighbors, tools, frost warning, ..."}}

Grammar: 24-unit grid with 2 units of margin; stroke of 1.75 units, round ends, square inner corners of radius 1; only horizontal, vertical, 45-degree lines and arcs; at most one filled area an icon; openings of at least 2 units. Viewed from the front, no perspective. Optical size equal: round forms slightly larger than square ones.

Each sign shows a thing or an action that the users of this product know, not a metaphor from offices. Those that mean opposite things share a form and differ in one stroke.

Black on white, evenly spaced, no labels, no shadows, no frames, no color.`,
  },
  {
    slug: 'moodboard-in-words',
    title: 'Moodboard in words',
    description: 'Directions for the look of a project, each with colors, materials and a test image.',
    givesText: true,
    content: `Develop three directions for the look of {{project | text:required:placeholder="a hotel in a former post office"}} for {{audience | text:required}}. They must exclude one another.

What it should make people feel, and what it must not remind them of: {{feeling | textarea:required}}

For each direction: a name of two words; the idea in two sentences; five colors with hex values and their share of the surface; three materials and how they age; kinds of letters (proportion, weight, period) without naming a commercial font; light; how people appear, or not; one rule that must never be broken; where it will become tiresome.

Then for each a prompt of 70 words for a single test picture with which I can judge it, all three of the same scene so that they compare. End with the question whose answer decides between them.`,
  },
  {
    slug: 'historical-street-scene',
    title: 'Historical street scene with checked details',
    description: 'A prompt built from facts: what was there, what was not yet, and what to verify.',
    givesText: true,
    content: `Write a prompt for a picture of {{street | text:required:placeholder="a market street in Lisbon"}} in {{year | number:min=1000:max=1990:default=1905}}, in the morning on a working day.

First collect what may be seen, in a table with the columns thing, present, not yet or no more, how sure you are: paving, vehicles, lighting, wires, shop fronts and signs, clothing by trade and class, hats, children, animals, goods, dirt, smoke. Mark everything of which you are not certain with [verify]; do not fill gaps with what merely looks old.

Then the prompt, in 120 to 160 words: viewpoint of a passer-by, weather of the season, five people with what they are doing, one thing in the foreground that was new that year, one that was about to disappear. Medium: {{medium | select:options=["autochrome photograph","oil sketch","ink and wash","silver gelatin photograph"]:default="autochrome photograph"}}. Signs unreadable.

Last, three mistakes that generators make with such scenes and the words against them.`,
  },
  {
    slug: 'space-scene-plausible',
    title: 'Plausible view from another world',
    description: 'A landscape that follows from its star, air and gravity.',
    pro: true,
    content: `Landscape on an invented world, painted for a magazine on astronomy: {{world | text:required:placeholder="a moon of a ringed ice giant under a red dwarf"}}.

Decide the physics first and let the picture follow from it: color and size of the star in the sky, thickness of the air and so the color of the distance, gravity and so the steepness of slopes and the shape of clouds, what is liquid here, what weathers the rock. {{life | select:options=["No life","Only mats and crusts","Simple plants"]:default="Only mats and crusts"}}.

Viewpoint on the ground at the height of a person, wide angle, horizon low or high but not in the middle. One feature that exists nowhere on Earth and is explained by the physics. A probe of the size of a suitcase as the only sign of us, for scale, small and dusty.

Manner of gouache of the classic space painters, hard shadows if the air is thin. No spaceships, no cities, no nebula in bright colors, no text.`,
  },
];
