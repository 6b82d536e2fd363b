const shownLetters = 40;

export function shortTitle(title: string): string {
  const letters = [...title];
  return letters.length > shownLetters
    ? `${letters
        .slice(0, shownLetters - 1)
        .join('')
        .trimEnd()}…`
    : title;
}
