/** Addresses of seeded people end so: a name that RFC 2606 reserves, which nobody can have. */
export const seedDomain = 'seed.example';

/** Who is seeded; the ways to sign in are theirs. */
export const seedPeople = {
  nora: { email: `nora@${seedDomain}`, name: 'Nora Lindqvist', is: 'free plan, credits left' },
  tomas: { email: `tomas@${seedDomain}`, name: 'Tomás Herrera', is: 'free plan, no credits left' },
  ines: { email: `ines@${seedDomain}`, name: 'Ines Okafor', is: 'Pro by the year' },
} as const;
