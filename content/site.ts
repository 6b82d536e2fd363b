/** Facts of this site that the operator changes. */
export const site = { name: 'GPT5AI' } as const;
