/** A start that cannot go on; its message is one line for the operator. */
export class StartError extends Error {}
