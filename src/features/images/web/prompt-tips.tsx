import { m } from '#messages';

const strong = (text: string) => <strong>{text}</strong>;

export function PromptTips({ open }: { open: boolean }) {
  return (
    <details className="[&_strong]:font-semibold [&_strong]:text-fg" open={open}>
      <summary className="cursor-pointer py-1 text-sm font-semibold pointer-coarse:py-3">
        {m.images_tips()}
      </summary>
      <ul className="mt-2 grid gap-1.5 text-sm text-fg-muted">
        {[m.images_tip_subject, m.images_tip_style, m.images_tip_distance].map((tip, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tips have no name but their place
          <li key={at}>{tip({ strong })}</li>
        ))}
      </ul>
    </details>
  );
}
