/** A figure that the site states of itself. A sample is shown only while the site runs in its sandbox. */
export interface Claim {
  value: string;
  label: string;
  /** true until the operator has put a figure of their own here. */
  sample: boolean;
}

/** An offer for a time, shown with its price before and after. It is gone after its last day. */
export interface Promotion {
  text: string;
  /** In US cents. Without a code, `after` must be what the plan table says, else the offer is not shown. */
  price: { duration: 'monthly' | 'quarterly' | 'yearly'; before: number; after: number };
  /** The last day on which it holds, UTC: '2027-01-31'. */
  lastDay: string;
  /** Code to type at checkout; null where the price there is the promised one already. */
  code: string | null;
  /** true: shown only while the site runs in its sandbox. */
  sample: boolean;
}

/** What the operator changes: name, words about the site, and its claims. Secrets and addresses are in the environment. */
export const site = {
  name: 'GPT5AI',
  /** A picture in public/ that stands for the name: its path and its size in pixels; null shows the name in type. */
  logo: null as { path: string; width: number; height: number } | null,
  /** Who answers questions, and where post reaches the operator; the pages of law show both. */
  supportEmail: 'support@example.com',
  postalAddress: ['Example Company', '1 Example Street', '10000 Example City'],
  consent: {
    /** Whether Customize opens with functional cookies on. Sites with visitors from the EU set false. */
    functionalStartsOn: true,
  },
  claims: [
    { value: '50K+', label: 'active users', sample: true },
    { value: '1M+', label: 'conversations', sample: true },
    { value: '95%', label: 'satisfaction', sample: true },
    { value: '4.9/5', label: 'rating', sample: true },
  ] satisfies Claim[] as Claim[],
  /** Beside the use cases. */
  useCaseClaims: [
    { value: '+300%', label: 'production', sample: true },
    { value: '90%', label: 'time saved', sample: true },
    { value: '50%', label: 'faster development', sample: true },
  ] satisfies Claim[] as Claim[],
  /** null: none. What it promises must be what the payment provider charges. */
  promotion: {
    text: 'Limited Time - 50% OFF',
    price: { duration: 'yearly', before: 13_998, after: 6_999 },
    lastDay: '2027-01-31',
    code: null,
    sample: true,
  } as Promotion | null,
};
