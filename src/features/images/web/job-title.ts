/** Characters of a prompt that name its images, and where a word may end before them. */
const MAX_LENGTH = 60;
const MIN_LENGTH = 40;

/** A prompt as the name of its images: one line of at most 60 characters, cut between words where it can be. */
export function jobTitle(prompt: string): string {
  const letters = [...prompt.replace(/\s+/g, ' ').trim()];
  if (letters.length <= MAX_LENGTH) return letters.join('');
  const space = letters.lastIndexOf(' ', MAX_LENGTH - 1);
  return `${letters.slice(0, space >= MIN_LENGTH ? space : MAX_LENGTH - 1).join('')}…`;
}
