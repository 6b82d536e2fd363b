/** Redirect targets that lead, or could be read to lead, to another site: X-A7 of the hostile cases. */
export const foreignTargets = (siteUrl: string): string[] => [
  'https://evil.test',
  '//evil.test',
  '/\\evil.test',
  '/%5cevil.test',
  '/%2f%2fevil.test',
  '/..//evil.test',
  '/\t/evil.test',
  '\\\\evil.test',
  'https:evil.test',
  'https:/evil.test',
  'javascript:alert(1)',
  'data:text/html,x',
  `${siteUrl}@evil.test`,
  `${siteUrl}.evil.test`,
];
