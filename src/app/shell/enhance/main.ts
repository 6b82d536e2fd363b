import { url as keepOnDevice } from 'virtual:keep-on-device';
import { local } from '#client/storage.ts';
import { keepingKey, notifyingKey } from '#features/devices/contract.ts';
import { startArticle } from './article-page.ts';
import { autoContinue } from './auto-continue.ts';
import { startCharacterCount } from './character-count.ts';
import { startPayment } from './checkout-form.ts';
import { startConsent } from './consent.ts';
import { startControls } from './controls.ts';
import { startCopy } from './copy-buttons.ts';
import { dispatch } from './dom.ts';
import { startDrawer } from './drawer.ts';
import { startInlineForms } from './inline-form.ts';
import { startPageViews } from './page-views.ts';
import { startSession } from './session.ts';
import { startSignIn } from './sign-in.ts';
import { startTheme } from './theme.ts';
import { startToasts } from './toast.ts';
import { startToolBox } from './tool-box.ts';

/** All of these delegate events on `document`, so that they work before and after hydration. */
startTheme();
startConsent();
startControls();
startDrawer();
startToasts();
startSignIn();
startCopy();
startCharacterCount();
startArticle();
startInlineForms();
startPayment();
startToolBox();
void startSession();

startPageViews();
dispatch('shell:ready', {});
autoContinue();
if (
  local.getItem(keepingKey) ||
  local.getItem(notifyingKey) ||
  matchMedia('(display-mode: standalone)').matches
)
  void import(keepOnDevice);
