import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { pictureTypeOf, pictureTypes } from '../../../../shared/picture-type.ts';
import { profileLimits, profileTexts } from '../../profile/contract.ts';
import { putAvatar, removeAvatar, tellShell, textOf, toast } from './api.ts';
import { ErrorLine } from './section.tsx';
import { catchFocus } from './use-change.ts';

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
    <span className={`${frame} grid place-items-center bg-sunken text-xl font-semibold`} aria-hidden="true">
      {[...name.trim()][0] ?? '?'}
    </span>
  );
}

/** The kind by the file's bytes: its name may say another. Null when it is none of ours or too large. */
async function refusalOf(file: File): Promise<{ type: string } | { error: string }> {
  const type = pictureTypeOf(new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  if (!type) return { error: profileTexts.avatarType };
  return file.size > profileLimits.avatarBytes ? { error: profileTexts.avatarSize } : { type };
}

function useAvatar({ url, onChanged }: Pick<AvatarProps, 'url' | 'onChanged'>) {
  const [preview, setPreview] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => (preview ? () => URL.revokeObjectURL(preview) : undefined), [preview]);

  async function change(work: () => Promise<string | null>, done: string) {
    setBusy(true);
    setError(null);
    try {
      const now = await work();
      flushSync(() => onChanged(now));
      catchFocus(UPLOAD);
      tellShell({ avatarUrl: now });
      toast(done);
    } catch (failure) {
      setError(textOf(failure));
    }
    setPreview(null);
    setBusy(false);
  }

  return {
    shown: preview ?? url,
    busy,
    removing: busy && preview === null,
    error,
    async choose(file: File) {
      const checked = await refusalOf(file);
      if ('error' in checked) return setError(checked.error);
      setPreview(URL.createObjectURL(file));
      await change(async () => (await putAvatar(file, checked.type)).avatarUrl, 'Picture saved.');
    },
    remove: () =>
      change(async () => {
        await removeAvatar();
        return null;
      }, 'Picture removed.'),
  };
}

/** The picture: shown at once, made round and small by the server. */
export function AvatarField({ name, url, onChanged }: AvatarProps) {
  const { shown, busy, removing, error, choose, remove } = useAvatar({ url, onChanged });
  const input = useRef<HTMLInputElement>(null);
  const onFile = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    // The same file may be chosen again.
    event.target.value = '';
    if (file) void choose(file);
  };
  return (
    <div className="grid gap-3">
      <div className="flex items-center gap-4">
        <Picture name={name} url={shown} />
        <div className="grid gap-2">
          <div className="row">
            <button
              type="button"
              id={UPLOAD}
              className="btn btn-secondary"
              aria-busy={busy && !removing}
              aria-describedby="avatar-hint"
              onClick={() => !busy && input.current?.click()}
            >
              {url ? 'Change picture' : 'Upload picture'}
            </button>
            {url ? (
              <button
                type="button"
                className="btn btn-ghost"
                aria-busy={removing}
                onClick={() => !busy && remove()}
              >
                Remove picture
              </button>
            ) : null}
          </div>
          <p className="hint" id="avatar-hint">
            JPEG, PNG or WebP, up to 5 MB. Only you see it.
          </p>
        </div>
        <input
          ref={input}
          type="file"
          hidden
          accept={pictureTypes.join(',')}
          aria-label="Picture"
          onChange={onFile}
        />
      </div>
      <ErrorLine text={error} />
    </div>
  );
}
