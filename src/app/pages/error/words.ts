/** What the error page says of a kind of failure; the specification's words (section 8). */
export interface ErrorWords {
  title: string;
  /** Said where the address gives no description. */
  says: string;
  suggestions: readonly string[];
}

const known: ReadonlyMap<string, ErrorWords> = new Map([
  [
    'access_denied',
    {
      title: 'Access Denied',
      says: 'The sign-in was not allowed.',
      suggestions: [
        'Try again and grant permission when the provider asks',
        'Check that no popup blocker stops the sign-in window',
        'Enable cookies for this site',
      ],
    },
  ],
  [
    'invalid_request',
    {
      title: 'Invalid Request',
      says: 'The sign-in could not be understood. Please begin it again.',
      suggestions: [
        'Clear the cache and cookies of your browser',
        'Try another browser',
        'Check that JavaScript is enabled',
      ],
    },
  ],
  [
    'server_error',
    {
      title: 'Server Error',
      says: 'The sign-in service has a problem of its own.',
      suggestions: [
        'Try again in a few minutes',
        'Check whether the sign-in service has an outage',
        'Contact support if it goes on',
      ],
    },
  ],
  [
    'configuration_error',
    {
      title: 'Configuration Error',
      says: 'The sign-in is not set up as it should be.',
      suggestions: ['This is likely temporary', 'Our team has been notified', 'Try again later'],
    },
  ],
  [
    'network_error',
    {
      title: 'Network Error',
      says: 'The sign-in service could not be reached.',
      suggestions: [
        'Check your internet connection',
        'Disable a VPN if you use one',
        'Check your firewall settings',
      ],
    },
  ],
]);

const other: ErrorWords = {
  title: 'Authentication Error',
  says: 'An unknown error occurred during authentication.',
  suggestions: [
    'Refresh the page and try again',
    'Clear the cache of your browser',
    'Try another browser or device',
    'Contact support if it goes on',
  ],
};

/** Title and suggestions for the value of the `error` parameter; any unknown one is a failed authentication. */
export function wordsFor(error: string): ErrorWords {
  return known.get(error) ?? other;
}

/** Whether an error has words of its own; of others the raw value is shown. */
export const isKnown = (error: string) => known.has(error);
