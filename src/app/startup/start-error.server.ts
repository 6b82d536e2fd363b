/** The site or a command cannot start; the message is one line for the operator. */
export class StartError extends Error {}
