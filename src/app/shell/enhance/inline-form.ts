import { m } from '#messages';
import { on, post } from './dom.ts';

/** Posts the form to the URL in its `data-inline` and shows the response in the status line that follows the form. */
async function send(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
  const line = form.nextElementSibling as HTMLElement;
  if (!button || button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  line.textContent = '';
  const { data } = await post<{ message: string }>(
    form.dataset.inline ?? '',
    Object.fromEntries(new FormData(form)),
  );
  button.ariaBusy = 'false';
  form.hidden = !!data.message;
  line.className = `notice notice-${data.message ? 'success' : 'danger'}`;
  line.textContent = data.message ?? data.error ?? m.form_failed();
  if (data.message) line.focus();
}

export function startInlineForms(): void {
  on('submit', '[data-inline]', (form, event) => {
    event.preventDefault();
    void send(form as HTMLFormElement, (event as SubmitEvent).submitter);
  });
}
