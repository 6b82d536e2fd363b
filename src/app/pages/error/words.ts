/** What the error page says of a kind of failure; the specification's words (section 8). */
export interface ErrorWords {
  title: string;
  suggestions: readonly string[];
}

const known: ReadonlyMap<string, ErrorWords> = new Map([
  [
    'access_denied',
    {
      title: 'Access Denied',
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
      suggestions: ['This is likely temporary', 'Our team has been notified', 'Try again later'],
    },
  ],
  [
    'network_error',
    {
      title: 'Network Error',
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

/** Said where the address gives neither a description nor an error. */
export const unknownError = 'An unknown error occurred during authentication.';

/** Whether an error has words of its own; of others the raw value is shown. */
export const isKnown = (error: string) => known.has(error);
