import { prefillComposer } from '#features/chat/prefill.ts';
import { m } from '#messages';
import { blockText } from './copy-buttons.ts';
import { find, on } from './dom.ts';
import { toast } from './toast.ts';

function followContents(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-contents] a')];
  const above = new Set<string>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        above[isIntersecting ? 'add' : 'delete'](`#${target.id}`);
      const current = links.findLast(({ hash }) => above.has(hash));
      for (const link of links)
        if (link === current) link.setAttribute('aria-current', 'true');
        else link.removeAttribute('aria-current');
    },
    // Extends far above the viewport, so that headings already scrolled past count as intersecting.
    { rootMargin: '1000000px 0px -70%' },
  );
  for (const { hash } of links) {
    const heading = document.getElementById(hash.slice(1));
    if (heading) observer.observe(heading);
  }
}

export function startArticle(): void {
  on('click', '[data-share]', ({ dataset: { share: url, shareTitle: title } }, event) => {
    if (!navigator.share) return;
    event.preventDefault();
    navigator
      .share({ url, title })
      .catch(({ name }: Error) => name !== 'AbortError' && find('#share-menu')?.showPopover());
  });
  on('click', '[data-use-in-chat]', (link, event) => {
    // Null: no owner, so any visitor may use it, because the text is public.
    if (prefillComposer(blockText(link), null)) return;
    event.preventDefault();
    toast({
      text: m.prompt_no_storage(),
      kind: 'danger',
    });
  });
  followContents();
}
