export type RefusalKind = 'url' | 'scheme' | 'credentials' | 'origin' | 'address' | 'redirect';

export type FailureKind =
  | 'dns'
  | 'connect'
  | 'reset'
  | 'protocol'
  | 'first_byte_timeout'
  | 'total_timeout'
  | 'too_large'
  | 'closed'
  | 'aborted';

/** A retry is pointless: the configuration or the address is at fault. */
export class OutboundRefused extends Error {
  override readonly name = 'OutboundRefused';
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export class OutboundFailed extends Error {
  override readonly name = 'OutboundFailed';
  readonly kind: FailureKind;
  readonly code: string | null;

  constructor(kind: FailureKind, message: string, code: string | null = null) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}

function codeOf(error: Error): string | null {
  const code = 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}

export function toOutboundError(error: Error, connected: boolean): OutboundFailed | OutboundRefused {
  if (error instanceof OutboundRefused || error instanceof OutboundFailed) return error;
  const code = codeOf(error);
  if ('syscall' in error && error.syscall === 'getaddrinfo') {
    return new OutboundFailed('dns', `The name could not be resolved (${code})`, code);
  }
  if (code?.startsWith('HPE_'))
    return new OutboundFailed('protocol', `The answer was not HTTP (${code})`, code);
  if (!connected) return new OutboundFailed('connect', `No connection (${code ?? error.message})`, code);
  return new OutboundFailed('reset', `The connection broke (${code ?? error.message})`, code);
}
