import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';

startTransition(() => {
  hydrateRoot(document, <HydratedRouter />, {
    onRecoverableError(error) {
      // React may have made <html> anew, without the attribute that the theme script set: let it set it again.
      dispatchEvent(new StorageEvent('storage', { key: 'theme' }));
      reportError(error);
    },
  });
});
