import type { findEndedWork } from '#features/credits/service.server.ts';
import { m } from '#messages';
import { withLocale } from '#platform/locale.server.ts';
import { shortened } from '#shared/clean-text.ts';
import { baseLanguage, textDirection, toLocale } from '#shared/language-path.ts';
import type { WorkNotification } from '../contract.ts';

type Work = NonNullable<Awaited<ReturnType<typeof findEndedWork>>>;

const ready: Partial<Record<Work['feature'], () => string>> = {
  writer: m.notify_writer,
  script: m.notify_script,
  image: m.notify_image,
  pdf: m.notify_pdf,
};

/** Characters: lock screens show fewer, and the longest title fits into a push. */
const TITLE = 120;

const isSafari = (endpoint: string) => URL.parse(endpoint)?.hostname.endsWith('.push.apple.com') === true;

/** Of the work itself, it contains only the title. */
export function buildNotification(
  { feature, title, path, failed }: Pick<Work, 'feature' | 'title' | 'path' | 'failed'>,
  { language: requestedLanguage, endpoint }: { language: string; endpoint: string },
): WorkNotification {
  const language = toLocale(requestedLanguage) ?? baseLanguage;
  const titleText = failed ? m.notify_failed : (ready[feature] ?? m.notify_chat);
  return withLocale(language, () => ({
    title: titleText(),
    body: shortened(title, TITLE),
    path,
    language,
    dir: textDirection(language),
    always: isSafari(endpoint),
  }));
}
