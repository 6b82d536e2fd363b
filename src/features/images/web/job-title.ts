/** Characters. */
const MAX_LENGTH = 60;
const MIN_LENGTH = 40;

export function jobTitle(prompt: string): string {
  const characters = [...prompt.replace(/\s+/g, ' ').trim()];
  if (characters.length <= MAX_LENGTH) return characters.join('');
  const space = characters.lastIndexOf(' ', MAX_LENGTH - 1);
  return `${characters.slice(0, space >= MIN_LENGTH ? space : MAX_LENGTH - 1).join('')}…`;
}
