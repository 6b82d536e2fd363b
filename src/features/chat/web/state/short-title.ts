import { shortened } from '#shared/clean-text.ts';

export const shortTitle = (title: string): string => shortened(title, 40);
