import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';

startTransition(() => {
  // From here on React loses no press.
  window.earlyPress?.stop();
  hydrateRoot(document, <HydratedRouter />, {
    onRecoverableError(error) {
      // React may have made <html> anew, without the attribute that the theme script set: let it set it again.
      dispatchEvent(new StorageEvent('storage', { key: 'theme' }));
      reportError(error);
    },
  });
});
