import type { Feature } from '#features/credits/contract.ts';

export interface LandingWords {
  feature: Feature;
  name: string;
  title: string;
  description: string;
  price: { unit: string; fairUse: string | null };
  questions: readonly { question: string; answer: string }[];
}
