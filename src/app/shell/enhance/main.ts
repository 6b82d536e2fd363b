import { startArticle } from './article.ts';
import { startConsent } from './consent.ts';
import { startCopy } from './copy.ts';
import { startCount } from './count.ts';
import { startCounter } from './counter.ts';
import { startDrawer } from './drawer.ts';
import { startInlineForms } from './inline-form.ts';
import { goOnward } from './onward.ts';
import { startPayment } from './payment.ts';
import { startSession } from './session.ts';
import { startSignIn } from './sign-in.ts';
import { startTheme } from './theme.ts';
import { startToasts } from './toast.ts';

/**
 * The only script of a public page, and on app pages beside React: the shell's behaviour, by delegation on `document`,
 * so that it works before and after hydration. What it writes into, React was told to leave alone.
 */
startTheme();
startConsent();
startDrawer();
startToasts();
startSignIn();
startCopy();
startCount();
startArticle();
startInlineForms();
startPayment();
void startSession();

startCounter();
goOnward();
