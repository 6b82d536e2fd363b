/** Where a form leads that asks by GET. */
export function addressOf(form: HTMLFormElement): string {
  const words = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return `${new URL(form.action).pathname}?${new URLSearchParams(words)}`;
}
