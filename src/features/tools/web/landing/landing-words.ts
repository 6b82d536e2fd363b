import type { Feature } from '#features/credits/contract.ts';

/** What a landing says of its tool. */
export interface LandingWords {
  feature: Feature;
  /** The tool's name. */
  name: string;
  /** Of its page. */
  title: string;
  description: string;
  price: { unit: string; fairUse: string | null };
  questions: readonly { question: string; answer: string }[];
}
