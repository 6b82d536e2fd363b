/** In the order of the navigation menu. */
export const sections = [
  { path: '/admin/people', name: 'People' },
  { path: '/admin/money', name: 'Money' },
  { path: '/admin/runs', name: 'Runs' },
  { path: '/admin/margin', name: 'Margin' },
  { path: '/admin/ratings', name: 'Ratings' },
  { path: '/admin/prompts', name: 'Prompts' },
  { path: '/admin/images', name: 'Images' },
  { path: '/admin/shares', name: 'Shared pages' },
  { path: '/admin/messages', name: 'Messages' },
  { path: '/admin/newsletter', name: 'Newsletter' },
  { path: '/admin/settings', name: 'Settings' },
  { path: '/admin/health', name: 'Health' },
  { path: '/admin/log', name: 'Log' },
] as const;

export type SectionPath = (typeof sections)[number]['path'];
