import { m } from '#messages';

/** Texts from the specification, section 8. */
export interface ErrorCopy {
  title: () => string;
  description: () => string;
  suggestions: readonly (() => string)[];
}

const knownErrors: Readonly<Record<string, ErrorCopy>> = {
  access_denied: {
    title: m.error_denied_title,
    description: m.error_denied_says,
    suggestions: [m.error_denied_fix_1, m.error_denied_fix_2, m.error_denied_fix_3],
  },
  invalid_request: {
    title: m.error_request_title,
    description: m.error_request_says,
    suggestions: [m.error_request_fix_1, m.error_request_fix_2, m.error_request_fix_3],
  },
  server_error: {
    title: m.error_server_title,
    description: m.error_server_says,
    suggestions: [m.error_server_fix_1, m.error_server_fix_2, m.error_fix_support],
  },
  configuration_error: {
    title: m.error_configuration_title,
    description: m.error_configuration_says,
    suggestions: [m.error_configuration_fix_1, m.error_configuration_fix_2, m.error_configuration_fix_3],
  },
  network_error: {
    title: m.error_network_title,
    description: m.error_network_says,
    suggestions: [m.error_network_fix_1, m.error_network_fix_2, m.error_network_fix_3],
  },
};

const other: ErrorCopy = {
  title: m.error_other_title,
  description: m.error_other_says,
  suggestions: [m.error_other_fix_1, m.error_other_fix_2, m.error_other_fix_3, m.error_fix_support],
};

export const isKnown = (error: string) => Object.hasOwn(knownErrors, error);

export const errorCopyFor = (error: string): ErrorCopy => (isKnown(error) && knownErrors[error]) || other;
