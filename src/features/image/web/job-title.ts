/** Characters of a prompt that name its images. */
const MOST = 60;

/** A prompt as the name of its images: one line of at most 60 characters. */
export function jobTitle(prompt: string): string {
  const letters = [...prompt.replace(/\s+/g, ' ').trim()];
  if (letters.length <= MOST) return letters.join('');
  return `${letters
    .slice(0, MOST - 1)
    .join('')
    .trimEnd()}…`;
}
