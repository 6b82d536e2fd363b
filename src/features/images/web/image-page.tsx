import { lazy, useCallback, useMemo, useRef } from 'react';
import { useNavigate } from 'react-router';
import { request } from '#client/api-request.ts';
import { clearFailureToast, openSignIn, toast } from '#client/page-events.ts';
import { usePersistedForm } from '#client/persisted-form.ts';
import { ProblemError } from '#client/problem-error.ts';
import type { Me } from '#features/accounts/contract.ts';
import { featureTable } from '#features/credits/contract.ts';
import { usePurchaseLabel } from '#features/credits/web/purchase-label.ts';
import { useCurrentUser } from '#features/credits/web/use-current-user.ts';
import { useRefusal } from '#features/credits/web/use-refusal.tsx';
import { isRunning } from '#features/generations/contract.ts';
import type { RunEnd } from '#features/generations/web/use-run.ts';
import type { ToolData } from '#features/tools/contract.ts';
import { landingParts } from '#features/tools/web/landing/landing-parts.tsx';
import { showResult } from '#features/tools/web/show-result.ts';
import { ToolColumns, ToolMissing, ToolPage, ToolResult } from '#features/tools/web/tool-page.tsx';
import { m } from '#messages';
import { defaultSize, type ImageJob, type ImagePage } from '../contract.ts';
import { imageFormKey } from '../prefill.ts';
import type { GalleryQuery } from './gallery/gallery-filters.tsx';
import { ImageGallery } from './gallery/image-gallery.tsx';
import { useGallery } from './gallery/use-gallery.ts';
import { ImageForm, type ImageRequest } from './image-form.tsx';
import { imageRun, imageRuns } from './image-runs.ts';
import { JobResult } from './job-result.tsx';
import { useImageNavigation } from './use-image-navigation.ts';
import { useImageSubmit, validImageRequest } from './use-image-submit.ts';

export type ImagePageData = ToolData<ImageJob, { page: ImagePage; query: GalleryQuery }>;

const initialRequest: ImageRequest = { prompt: '', size: defaultSize, count: 1 };

const { sample, ...landing } = landingParts(lazy(() => import('./image-landing.tsx')));

export function ImagePageView({ data }: { data: ImagePageData }) {
  const { opened, missing, list } = data;
  const navigate = useNavigate();
  const [me, setCredits] = useCurrentUser(data.me);
  const { values, change } = usePersistedForm(imageFormKey, initialRequest, me?.id ?? null);
  const imageRequest = validImageRequest(values, initialRequest);
  const refusing = useRefusal(me, {
    feature: 'image',
    price: featureTable.image.price * imageRequest.count,
    fallback: m.images_fallback(),
  });
  const gallery = useGallery(list.page);
  const box = useRef<HTMLTextAreaElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  const { refuse, upgrade, purchase } = refusing;
  const purchaseLabel = usePurchaseLabel();
  const onRefused = (error: unknown) => {
    if (!(error instanceof ProblemError) || error.body.code !== 'credits_exhausted') return refuse(error);
    toast({
      title: m.upgrade_insufficient(),
      text: error.message,
      kind: 'danger',
      action: { label: purchaseLabel, run: purchase },
    });
  };
  const refreshCredits = useCallback(
    () =>
      request<Me>('/api/me').then(
        (now) => setCredits(now.credits),
        () => undefined,
      ),
    [setCredits],
  );
  const { busy, send } = useImageSubmit(({ job, credits }) => {
    imageRuns.add(imageRun(job.id));
    clearFailureToast();
    refusing.clear();
    setCredits(credits);
    gallery.upsert(job);
    // The run has already failed and was refunded, so there is nothing to follow.
    if (!isRunning(job.state)) void refreshCredits();
    if (opened) void navigate('/tools/image');
    else showResult();
  }, onRefused);
  const submit = () => {
    refusing.clear();
    if (me) send(imageRequest);
    else openSignIn({ reason: m.images_sign_in() });
  };
  // A run that ended before it could be followed does not report the balance.
  const onEnd = useCallback(
    ({ credits }: RunEnd) => {
      if (credits !== null) setCredits(credits);
      else void refreshCredits();
    },
    [setCredits, refreshCredits],
  );
  const navigation = useImageNavigation({ data, imageRequest, change, box, heading });
  const openedPage = useMemo(() => ({ jobs: opened ? [opened] : [], next: null }), [opened]);
  return (
    <ToolPage
      feature="image"
      landing={me ? null : landing}
      newLabel={opened || missing ? m.images_new() : null}
      earlier={null}
    >
      <ToolColumns
        key={opened?.id ?? 'all'}
        opened={opened !== null}
        form={
          <ImageForm
            me={me}
            imageRequest={imageRequest}
            onChange={(changed) => {
              refusing.clear();
              change(changed);
            }}
            onSubmit={submit}
            onUpgrade={upgrade}
            busy={busy}
            box={box}
          />
        }
        result={
          opened ? (
            <JobResult first={openedPage} refusing={refusing} onEnd={onEnd} {...navigation} />
          ) : !me ? (
            sample
          ) : missing ? (
            <ToolResult label={m.images_label()} title={m.images_missing()} refusing={refusing}>
              <ToolMissing feature="image" newLabel={m.images_all()} />
            </ToolResult>
          ) : (
            <ToolResult
              label={m.images_label()}
              title={featureTable.image.name}
              lead={gallery.jobs.length > 0 ? '' : m.images_lead()}
              refusing={refusing}
            >
              <ImageGallery
                gallery={gallery}
                query={list.query}
                heading={heading}
                onEnd={onEnd}
                onAgain={navigation.onAgain}
                onSample={navigation.onAgain}
              />
            </ToolResult>
          )
        }
      />
      {refusing.dialog}
    </ToolPage>
  );
}
