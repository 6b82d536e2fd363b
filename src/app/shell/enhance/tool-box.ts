import { prefillText, readFormDraft, writeFormDraft } from '#client/form-draft.ts';
import { prefillComposer } from '#features/chat/prefill.ts';
import { find, on } from './dom.ts';

const DRAFT = 'home';

/** Passes the text to the tool's form through storage, to keep it out of the URL. @returns whether that worked. */
const passText = (form: string | undefined, text: string): boolean =>
  form === 'chat' ? prefillComposer(text, null) : form !== undefined && prefillText(form, null, text);

export function startToolBox(): void {
  const box = find<HTMLTextAreaElement>('#tool-text');
  if (!box) return;
  const draftText = readFormDraft(DRAFT)?.values.text;
  if (!box.value && typeof draftText === 'string') box.value = draftText;
  box.oninput = () =>
    writeFormDraft(DRAFT, box.value ? { values: { text: box.value }, at: Date.now(), owner: null } : null);
  box.onkeydown = (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    const buttons = box.form?.querySelectorAll<HTMLElement>('[type=submit]') ?? [];
    box.form?.requestSubmit([...buttons].find((button) => button.checkVisibility()));
  };
  on('submit', '[data-tool-box]', (element, event) => {
    const form = element as HTMLFormElement;
    const submitter = (event as SubmitEvent).submitter;
    const text = (form.elements.namedItem('text') as HTMLInputElement).value.trim();
    const isPassed = text === '' || passText(submitter?.dataset.form, text);
    writeFormDraft(DRAFT, null);
    if (!isPassed) return;
    event.preventDefault();
    location.assign(submitter?.getAttribute('formaction') ?? form.action);
  });
}
