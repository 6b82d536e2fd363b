/** Returns the address that a GET form leads to. */
export function formActionUrl(form: HTMLFormElement): string {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return `${new URL(form.action).pathname}?${new URLSearchParams(entries)}`;
}
