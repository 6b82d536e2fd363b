/** Characters. */
const MAX_LENGTH = 60;
const MIN_LENGTH = 40;

export function jobTitle(prompt: string): string {
  const letters = [...prompt.replace(/\s+/g, ' ').trim()];
  if (letters.length <= MAX_LENGTH) return letters.join('');
  const space = letters.lastIndexOf(' ', MAX_LENGTH - 1);
  return `${letters.slice(0, space >= MIN_LENGTH ? space : MAX_LENGTH - 1).join('')}…`;
}
