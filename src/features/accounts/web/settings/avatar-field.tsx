import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { notifyAccountChanged } from '#client/page-events.ts';
import { useMutation } from '#client/use-mutation.ts';
import { m } from '#messages';
import { imageTypeOf, imageTypes } from '#shared/image-type.ts';
import { Button } from '#ui/button.tsx';
import { profileLimits } from '../../profile/profile-contract.ts';
import { removeAvatar, uploadAvatar } from './settings-api.ts';
import { ErrorLine } from './settings-section.tsx';

const UPLOAD = 'avatar-upload';

interface AvatarProps {
  name: string;
  url: string | null;
  onChanged: (url: string | null) => void;
}

function Picture({ name, url }: { name: string; url: string | null }) {
  const frame = 'size-18 flex-none rounded-full border border-line';
  if (url) return <img className={`${frame} object-cover`} src={url} width={72} height={72} alt={name} />;
  return (
    <span
      className={`${frame} grid place-items-center bg-sunken text-xl font-semibold uppercase`}
      aria-hidden="true"
    >
      {[...name.trim()][0] ?? '?'}
    </span>
  );
}

/** Checks the file's bytes, because its name may suggest another type. */
async function checkFile(file: File): Promise<{ type: string } | { error: string }> {
  const type = imageTypeOf(new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  if (!type) return { error: m.avatar_wrong_type() };
  return file.size > profileLimits.avatarBytes ? { error: m.avatar_too_large() } : { type };
}

function useAvatar({ url, onChanged }: Pick<AvatarProps, 'url' | 'onChanged'>) {
  const [preview, setPreview] = useState<string | null>(null);
  const { busy, error, change, setError } = useMutation(UPLOAD);
  useEffect(() => (preview ? () => URL.revokeObjectURL(preview) : undefined), [preview]);

  function apply(saved: string | null) {
    onChanged(saved);
    notifyAccountChanged({ avatarUrl: saved });
  }

  return {
    shown: preview ?? url,
    busy,
    error,
    async choose(file: File) {
      const checked = await checkFile(file);
      if ('error' in checked) return setError(checked.error);
      setPreview(URL.createObjectURL(file));
      await change({
        key: 'upload',
        work: () => uploadAvatar(file, checked.type),
        apply: ({ avatarUrl }) => apply(avatarUrl),
        done: m.avatar_saved(),
      });
      setPreview(null);
    },
    remove: () =>
      change({ key: 'remove', work: removeAvatar, apply: () => apply(null), done: m.avatar_removed() }),
  };
}

export function AvatarField({ name, url, onChanged }: AvatarProps) {
  const { shown, busy, error, choose, remove } = useAvatar({ url, onChanged });
  const input = useRef<HTMLInputElement>(null);
  const onFile = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    // Allows the same file to be chosen again.
    event.target.value = '';
    if (file) void choose(file);
  };
  return (
    <div className="grid gap-3">
      <div className="flex items-center gap-4">
        <Picture name={name} url={shown} />
        <div className="grid gap-2">
          <div className="row">
            <Button
              id={UPLOAD}
              aria-busy={busy === 'upload'}
              aria-describedby="avatar-hint"
              onClick={() => !busy && input.current?.click()}
            >
              {url ? m.avatar_change() : m.avatar_upload()}
            </Button>
            {url ? (
              <Button variant="ghost" aria-busy={busy === 'remove'} onClick={() => !busy && remove()}>
                {m.avatar_remove()}
              </Button>
            ) : null}
          </div>
          <p className="hint" id="avatar-hint">
            {m.avatar_hint()}
          </p>
        </div>
        <input
          ref={input}
          type="file"
          hidden
          accept={imageTypes.join(',')}
          aria-label={m.avatar_label()}
          onChange={onFile}
        />
      </div>
      <ErrorLine text={error} />
    </div>
  );
}
