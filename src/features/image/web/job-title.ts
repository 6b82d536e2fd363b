/** Characters of a prompt that name its images, and where a word may end before them. */
const MOST = 60;
const LEAST = 40;

/** A prompt as the name of its images: one line of at most 60 characters, cut between words where it can be. */
export function jobTitle(prompt: string): string {
  const letters = [...prompt.replace(/\s+/g, ' ').trim()];
  if (letters.length <= MOST) return letters.join('');
  const space = letters.lastIndexOf(' ', MOST - 1);
  return `${letters.slice(0, space >= LEAST ? space : MOST - 1).join('')}…`;
}
