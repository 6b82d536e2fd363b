import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useKeptForm } from '../../../client/kept-form.ts';
import { clearFailure, openSignIn, toast } from '../../../client/page-events.ts';
import { ConnectionError, ProblemError } from '../../../client/problem-error.ts';
import { request } from '../../../client/request.ts';
import type { Me } from '../../accounts/contract.ts';
import { featureTable, inCredits } from '../../credits/contract.ts';
import { CreditsCard } from '../../credits/web/credits-card.tsx';
import { usePerson } from '../../credits/web/use-person.ts';
import { useRefusal } from '../../credits/web/use-refusal.tsx';
import type { RunEnd } from '../../generations/web/use-run.ts';
import { defaultSize, type ImageJob, type ImagePage, imageTexts } from '../contract.ts';
import { imageForm } from '../handover/contract.ts';
import { ImageForm, type ImageWish } from './form/image-form.tsx';
import { Tips } from './form/tips.tsx';
import type { Query } from './gallery/filters.tsx';
import { ImageGallery } from './gallery/image-gallery.tsx';
import { useGallery } from './gallery/use-gallery.ts';
import { JobPage } from './job-page.tsx';
import { noteRunning } from './running/noted.ts';
import { watchNoted } from './running/running.ts';
import { useWays } from './use-ways.ts';
import { soundWish, useSending } from './use-wish.ts';
import './image.css';

/** What the route's loader gives. */
export interface ImagePageData {
  me: Me | null;
  page: ImagePage;
  query: Query;
  /** The job of `/tools/image/:id`. */
  job: ImageJob | null;
  /** No such job of this person. */
  missing: boolean;
}

const firstWish: ImageWish = { prompt: '', size: defaultSize, count: 1 };

const price = `1 image = ${inCredits(featureTable.image.price)}`;

/** What a failed connection is told as; the wish stays, and a second press is the same run. */
const asConnection = (error: unknown) => (error instanceof TypeError ? new ConnectionError(error) : error);

/** The Image Generator: what is wished for on one side, everything that was made on the other. */
export function ImagePageView({ data }: { data: ImagePageData }) {
  const [me, setCredits] = usePerson(data.me);
  const { values, change, ready } = useKeptForm(imageForm, firstWish, me?.id ?? null);
  const wish = soundWish(values, firstWish);
  const cost = featureTable.image.price * wish.count;
  const refusing = useRefusal(me, {
    feature: 'image',
    price: cost,
    fallback: 'The image could not be made.',
    quiet: true,
  });
  const gallery = useGallery(data.page);
  const box = useRef<HTMLTextAreaElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(watchNoted, []);

  const { refuse, upgrade } = refusing;
  const onRefused = (error: unknown) => {
    if (!(error instanceof ProblemError) || error.body.code !== 'credits_exhausted')
      return refuse(asConnection(error));
    toast({
      title: imageTexts.insufficientTitle,
      text: error.message,
      kind: 'danger',
      action: { label: 'Go Pro', run: upgrade },
    });
  };
  const { busy, send } = useSending(({ job, credits }) => {
    noteRunning(job.id);
    clearFailure();
    refusing.clear();
    setCredits(credits);
    gallery.put(job);
    // Where the gallery stands below the form, what was begun would be out of sight.
    if (matchMedia('(width < 60rem)').matches) heading.current?.scrollIntoView();
  }, onRefused);
  const submit = () => {
    refusing.clear();
    if (wish.prompt.trim() === '') {
      refuse(
        new ProblemError(400, { error: imageTexts.emptyPrompt, code: 'bad_request', requestId: '' }, null),
      );
      box.current?.focus();
    } else if (me) send(wish);
    else openSignIn({ reason: 'Sign in to generate images. What you typed is kept.' });
  };
  // The end of a run that was over before it was read does not say the balance.
  const onEnd = useCallback(
    ({ credits }: RunEnd) => {
      if (credits !== null) setCredits(credits);
      else
        request<Me>('/api/me').then(
          (now) => setCredits(now.credits),
          () => undefined,
        );
    },
    [setCredits],
  );
  const ways = useWays({ data, wish, change, box, heading });
  const alone = useMemo(() => ({ jobs: data.job ? [data.job] : [], next: null }), [data.job]);
  if (data.job || data.missing)
    return <JobPage key={data.job?.id} first={alone} missing={data.missing} onEnd={onEnd} {...ways} />;
  return (
    <main id="main" className="wrap image-page">
      <header className="image-intro">
        <h1 className="h1">Image Generator</h1>
        <p className="lead">
          Describe a picture and get up to four of it, in the size that you choose. Each is kept here until
          you delete it.
        </p>
      </header>
      <div className="image-columns">
        <section className="image-side" aria-label="New images" data-ready={ready || undefined}>
          <CreditsCard me={me} price={price} onUpgrade={upgrade} />
          <ImageForm
            me={me}
            wish={wish}
            onChange={(changed) => {
              refusing.clear();
              change(changed);
            }}
            onSubmit={submit}
            busy={busy}
            refusal={refusing.refusal}
            box={box}
          />
        </section>
        {me ? (
          <ImageGallery
            gallery={gallery}
            query={data.query}
            heading={heading}
            onEnd={onEnd}
            onAgain={ways.onAgain}
          />
        ) : (
          <Offer />
        )}
        <Tips />
      </div>
      {refusing.dialog}
    </main>
  );
}

/** What a guest finds in place of a gallery. */
function Offer() {
  return (
    <section className="image-gallery" aria-labelledby="image-offer">
      <div className="image-gallery-head">
        <h2 className="h3" id="image-offer">
          What you get
        </h2>
      </div>
      <dl className="image-offer">
        <div>
          <dt>Exactly the size you chose</dt>
          <dd>PNG of 512x512, 768x512 or 1024x1024 pixels, not one more or less.</dd>
        </div>
        <div>
          <dt>Pay for what arrives</dt>
          <dd>
            {price}. Four asked for and three made are charged as three; what fails is given back by itself.
          </dd>
        </div>
        <div>
          <dt>Leave while it works</dt>
          <dd>The work goes on without the page. You are told when it is done.</dd>
        </div>
        <div>
          <dt>Marked as made by a model</dt>
          <dd>Prompt, model and date stand in the file, and that it is AI-generated.</dd>
        </div>
      </dl>
    </section>
  );
}
