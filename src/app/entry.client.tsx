import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';

startTransition(() => {
  // From here on React handles clicks itself.
  window.earlyPress?.stop();
  hydrateRoot(document, <HydratedRouter />, {
    onRecoverableError(error) {
      // React may have recreated <html> without the theme attribute: this makes the theme script set it again.
      dispatchEvent(new StorageEvent('storage', { key: 'theme' }));
      reportError(error);
    },
  });
});
