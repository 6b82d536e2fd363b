/** Tries of an event, over three days: its provider or database may be away for a weekend. */
export const eventTries = 18;
