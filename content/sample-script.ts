/** A short screenplay of our own, shown where the script generator is locked; read and set by the tool's own code. */
export const sampleScript = `Title: The Tide Clock

INT. CLOCKMAKER'S SHOP - NIGHT

Forty clocks, each a little wrong. MARA, 60, holds a lamp over the only one that has stopped. Rain on the skylight.

MARA
It runs with the tide. When the sea goes out, it waits.

JON
(from the stairs)
And when the sea does not come back?

Every clock in the room strikes at once.

CUT TO:

EXT. HARBOR - CONTINUOUS

The basin is empty. Boats lie on their sides in the mud. Far out, under the moon, a white line that was not there before.

JON
Mara. What time is it?

MARA
High water.

> FADE TO BLACK.
`;
